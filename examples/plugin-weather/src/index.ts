export type { Day, Weather } from "./forecast.ts";
export { type GetWeatherInput, makeGetWeather, type WeatherSettings } from "./get-weather.ts";
export { type WeatherOptions, weatherPlugin, weatherPlugin as default } from "./plugin.ts";
