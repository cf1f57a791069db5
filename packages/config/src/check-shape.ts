import { nearest } from "@toycoder/core";
import { type ConfigProblem, describeValue, isObject, placeOf, type Report, type Shape } from "./shape.ts";

/** Every problem of a value, in the order of its keys. */
export function checkShape(value: unknown, shape: Shape): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const report: Report = (place, message) => void problems.push({ place, message });
  check(value, shape, "", { root: shape, holders: [] }, report);
  return problems;
}

interface Around {
  root: Shape;
  /** The objects and lists that the value lies in. */
  holders: readonly unknown[];
}

function check(value: unknown, shape: Shape, place: string, around: Around, report: Report): void {
  const fits = isOfType(value, shape);
  if (!fits) return report(place, `expected ${expected(shape)}, got ${describeValue(value)}`);
  if (around.holders.includes(value)) return report(place, "contains itself; write its parts out");
  const inner =
    isObject(value) || Array.isArray(value) ? { ...around, holders: [...around.holders, value] } : around;
  const within = (item: unknown, of: Shape, key: string | number): void =>
    check(item, of, placeOf(place, key), inner, report);
  switch (shape.kind) {
    case "text": {
      const problem = shape.check?.(value as string);
      if (problem !== undefined) report(place, problem);
      return;
    }
    case "list":
      for (const [index, item] of (value as unknown[]).entries()) within(item, shape.of, index);
      return;
    case "tuple":
      for (const [index, of] of shape.of.entries()) within((value as unknown[])[index], of, index);
      return;
    case "map":
      for (const [key, item] of Object.entries(value as object)) {
        const problem = shape.checkKey?.(key);
        if (problem === undefined) within(item, shape.of, key);
        else report(placeOf(place, key), problem);
      }
      return;
    case "object":
      return checkObject(value as Readonly<Record<string, unknown>>, shape, place, inner, report);
    case "either": {
      const branch = shape.of.find((one) => isOfType(value, one));
      if (branch !== undefined) check(value, branch, place, around, report);
      return;
    }
    case "custom":
      return shape.check(value, place, report);
    case "unsupported":
      return report(place, shape.why ?? "not supported by this version of ToyCoder; take it out");
    default:
  }
}

function checkObject(
  value: Readonly<Record<string, unknown>>,
  { keys, required = [] }: Extract<Shape, { kind: "object" }>,
  place: string,
  around: Around,
  report: Report,
): void {
  for (const [key, item] of Object.entries(value)) {
    const shape = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (shape === undefined) report(placeOf(place, key), unknownKey(key, keys, around.root));
    // A key that is set to undefined is left out.
    else if (item !== undefined) check(item, shape, placeOf(place, key), around, report);
  }
  for (const key of required) {
    if (value[key] === undefined) report(placeOf(place, key), "is missing");
  }
}

function unknownKey(key: string, keys: Readonly<Record<string, Shape>>, root: Shape): string {
  const known = Object.keys(keys).filter((name) => keys[name]?.kind !== "unsupported" && name !== "$schema");
  const [near] = nearest(key, known, 1);
  if (near !== undefined) return `unknown key; did you mean ${near}?`;
  const elsewhere = findKey(key, root, "");
  if (elsewhere !== undefined) return `unknown key; did you mean ${elsewhere}?`;
  return `unknown key; known are ${known.join(", ")}`;
}

/** Where else in the config a key of this name is known. */
function findKey(
  key: string,
  shape: Shape,
  place: string,
  around: readonly Shape[] = [],
): string | undefined {
  if (shape.kind === "either") {
    return shape.of.map((one) => findKey(key, one, place, around)).find((found) => found);
  }
  // A shape may hold itself.
  if (shape.kind !== "object" || around.includes(shape)) return undefined;
  for (const [name, of] of Object.entries(shape.keys)) {
    const at = placeOf(place, name);
    if (of.kind === "unsupported") continue;
    const found = name === key ? at : findKey(key, of, at, [...around, shape]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isOfType(value: unknown, shape: Shape): boolean {
  switch (shape.kind) {
    case "text":
      return typeof value === "string";
    case "number":
      return (
        typeof value === "number" &&
        Number.isFinite(value) &&
        value >= shape.min &&
        (shape.whole !== true || Number.isInteger(value))
      );
    case "choice":
      return typeof value === "string" && shape.of.includes(value);
    case "flag":
      return typeof value === "boolean";
    case "function":
      return typeof value === "function";
    case "list":
      return Array.isArray(value);
    case "tuple":
      return Array.isArray(value) && value.length === shape.of.length;
    case "map":
    case "object":
      return isObject(value);
    case "either":
      return shape.of.some((one) => isOfType(value, one));
    default:
      return true;
  }
}

/** A shape in words: "a list". */
export function expected(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return "a string";
    case "number":
      return `a ${shape.whole === true ? "whole " : ""}number of at least ${shape.min}`;
    case "choice":
      return `one of ${shape.of.join(", ")}`;
    case "flag":
      return "true or false";
    case "function":
      return "a function";
    case "list":
      return "a list";
    case "tuple":
    case "custom":
      return shape.expected;
    case "anything":
      return "anything";
    case "either":
      return shape.of.map(expected).join(" or ");
    default:
      return "an object";
  }
}
