import type { Weather } from "./forecast.ts";

/** What a model gets to read: the place, now, and a line for each day. What is not known is left out. */
export function weatherText({ place, timezone, now, days, others }: Weather): string {
  const lines = [
    `${place} (times in ${timezone})`,
    line(`Now, ${now.time.replace("T", " ")}`, [
      now.conditions,
      now.temperature,
      now.feelsLike && `feels like ${now.feelsLike}`,
      now.humidity && `humidity ${now.humidity}`,
      now.precipitation && `precipitation ${now.precipitation}`,
      now.wind && `wind ${now.wind}`,
    ]),
    ...days.map((day) =>
      line(day.date, [
        day.conditions,
        day.low && day.high && `${day.low} to ${day.high}`,
        day.precipitation && `precipitation ${day.precipitation}`,
        day.chanceOfRain && `chance of rain ${day.chanceOfRain}`,
        day.wind && `wind up to ${day.wind}`,
      ]),
    ),
  ];
  if (others.length > 0) lines.push(`Other places of this name: ${others.join("; ")}`);
  return lines.join("\n");
}

const line = (head: string, parts: readonly (string | null)[]): string =>
  `${head}: ${parts.filter((part) => part !== null && part !== "").join(", ")}`;
