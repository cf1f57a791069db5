import { discountFactor } from "./discount.js";

/** The total of a basket in whole cents: quantity times price of each item, then the customer's discount. */
export function total(items, level) {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return Math.round(sum * discountFactor(level));
}
