/** The share of the price that a customer of this level pays. */
export function discountFactor(level) {
  switch (level) {
    case "gold":
      return 0.8;
    case "silver":
      return 0.9;
    default:
      return 1;
  }
}
