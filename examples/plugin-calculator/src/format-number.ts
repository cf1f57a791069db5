export interface Answer {
  value: string;
  /** Whether the value has more digits than are shown. */
  rounded: boolean;
}

/** What the calculator computes with. */
const PRECISION = 64;
/** A value of no more digits is shown whole, whatever was asked for. */
const WHOLE = 30;

/** A number's text as people write it: whole where it is short, or an integer, and rounded where it is long. */
export function formatNumber(value: string, digits: number): Answer {
  const { sign, mantissa, exponent } = parts(value);
  const isInteger = exponent >= mantissa.length - 1 && exponent < PRECISION;
  if (isInteger || (mantissa.length <= WHOLE && Math.abs(exponent) < PRECISION))
    return { value: sign + written(mantissa, exponent), rounded: false };
  const [kept, carried] = round(mantissa, digits);
  return { value: sign + written(kept, exponent + carried), rounded: true };
}

/** The digits without zeros around them, and the exponent of the first one. */
function parts(value: string): { sign: string; mantissa: string; exponent: number } {
  const [, sign = "", whole = "0", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(value) ?? [];
  const all = whole + fraction;
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  const mantissa = all.slice(leading).replace(/0+$/, "");
  if (mantissa === "") return { sign: "", mantissa: "0", exponent: 0 };
  return { sign, mantissa, exponent: Number(power) + whole.length - 1 - leading };
}

/** Half away from zero; a carry out of the first digit adds one to the exponent. */
function round(mantissa: string, digits: number): [kept: string, carried: number] {
  if (mantissa.length <= digits) return [mantissa, 0];
  const up = (mantissa[digits] ?? "0") >= "5" ? 1n : 0n;
  const kept = String(BigInt(mantissa.slice(0, digits)) + up);
  return [kept.slice(0, digits).replace(/0+$/, ""), kept.length - digits];
}

function written(mantissa: string, exponent: number): string {
  if (exponent < -7 || exponent >= PRECISION) {
    const rest = mantissa.slice(1);
    return `${mantissa.slice(0, 1)}${rest === "" ? "" : `.${rest}`}e${exponent < 0 ? "" : "+"}${exponent}`;
  }
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${mantissa}`;
  const whole = mantissa.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fraction = mantissa.slice(exponent + 1);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
