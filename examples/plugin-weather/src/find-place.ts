import { nearest, ToolError } from "@toycoder/core";
import { z } from "zod";
import { ask, type Request } from "./open-meteo.ts";

export interface Place {
  name: string;
  latitude: number;
  longitude: number;
  /** Other places of the name, as they can be asked for. */
  others: string[];
}

/** As documented at https://open-meteo.com/en/docs/geocoding-api; empty fields are not returned. */
const FOUND = z.object({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  country: z.string().optional(),
  country_code: z.string().optional(),
  admin1: z.string().optional(),
  admin2: z.string().optional(),
});
/** Without a match, `results` is not there at all. */
const ANSWER = z.object({ results: z.array(FOUND).default([]) });
type Found = z.output<typeof FOUND>;

const COORDINATES = /^([-+]?\d+(?:\.\d+)?)\s*[,; ]\s*([-+]?\d+(?:\.\d+)?)$/;
const COUNT = 10;

/**
 * Finds a place by its name, by name and region ("Paris, Texas"), or by coordinates. Of several, the one that the
 * service ranks first. Throws a ToolError `place_not_found` that names near ones, or `bad_coordinates`.
 */
export async function findPlace(location: string, base: string, request: Request): Promise<Place> {
  const [, latitude, longitude] = COORDINATES.exec(location) ?? [];
  if (latitude !== undefined && longitude !== undefined) return at(Number(latitude), Number(longitude));
  const [name = "", ...regions] = location.split(",").map((part) => part.trim());
  const found = await search(name, base, request);
  const [first, ...rest] = found.filter((one) => regions.every((region) => liesIn(one, region)));
  if (first !== undefined)
    return {
      name: full(first),
      latitude: first.latitude,
      longitude: first.longitude,
      others: distinct(rest),
    };
  const near = found.length > 0 ? distinct(found) : await similar(name, base, request);
  throw new ToolError("place_not_found", `no place ${JSON.stringify(location)} is known`, {
    hint: near.length > 0 ? `did you mean ${near.join("; ")}?` : "try a larger place near it, or coordinates",
  });
}

async function search(name: string, base: string, request: Request): Promise<Found[]> {
  const parameters = { name, count: COUNT, language: "en", format: "json" };
  return (await ask(base, "v1/search", parameters, ANSWER, request)).results;
}

/** The service finds what begins alike: half of a mistyped name may lead to what was meant. */
async function similar(name: string, base: string, request: Request): Promise<string[]> {
  const start = name.slice(0, Math.max(3, Math.ceil(name.length / 2)));
  if (start === name) return [];
  const found = await search(start, base, request);
  const names = new Set(nearest(name, found.map((one) => one.name), 3)); // prettier-ignore
  return distinct(found.filter((one) => names.has(one.name)));
}

function at(latitude: number, longitude: number): Place {
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180)
    throw new ToolError("bad_coordinates", `${latitude},${longitude} is no place on earth`, {
      hint: "latitude first, from -90 to 90, then longitude, from -180 to 180",
    });
  return { name: `${latitude},${longitude}`, latitude, longitude, others: [] };
}

const liesIn = ({ admin1, admin2, country, country_code: code }: Found, region: string): boolean =>
  [admin1, admin2, country, code].some((one) => one?.toLowerCase() === region.toLowerCase());

const full = ({ name, admin1, country }: Found): string =>
  [name, admin1, country].filter((part) => part !== undefined && part !== "").join(", ");

const distinct = (found: readonly Found[]): string[] => [...new Set(found.map(full))].slice(0, 3);
