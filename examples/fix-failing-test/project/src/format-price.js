/** Cents as text: 1234 → "12.34 €". */
export function formatPrice(cents) {
  return `${(cents / 100).toFixed(2)} €`;
}
