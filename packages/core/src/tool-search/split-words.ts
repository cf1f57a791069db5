import { HAN_VARIANTS } from "./han-variants.ts";

// Scripts that put no spaces between words, or hang endings on them; as ranges, which cost nothing at start-up, where
// \p{Script=…} costs a millisecond. Han; Katakana; Hiragana; Hangul; Thai, Lao, Myanmar and Khmer; the rest.
const SCRIPT_RUN =
  /[\u3005\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]+|[\u30a1-\u30ff]+|[\u3041-\u309f]+|[\uac00-\ud7af]+|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+|[^\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu;
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]/u;
const SYLLABLE = /^[\u3005\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]$/u;
const HAN = /[\u3400-\u9fff]/g;

const ASCII = /^[\0-\x7f]*$/;
const ASCII_RUN = /[a-z]+|[0-9]+/g;
const RUN = /[\p{L}\p{M}]+|\p{N}+/gu;
const CASE_CHANGE = /[a-z](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g;
const CONTRACTION = /['’](?:s|t|re|m|d|ll|ve)\b/g;
const LATIN_ACCENTS = /(?<=[a-z])[\u0300-\u036f]+/g;

/**
 * The words of a text, with repetitions: folded (NFKC, lower case, no accents on Latin letters, Han characters in
 * simplified form); names split at separators, changes of case and digits. Of scripts without spaces, the pairs of
 * neighbouring characters, then each Han or Hangul character.
 */
export function splitWords(text: string): string[] {
  const folded = foldWidth(text).replace(CASE_CHANGE, "$& ").toLowerCase().replace(CONTRACTION, " ");
  if (ASCII.test(folded)) return folded.match(ASCII_RUN) ?? [];
  return (folded.match(RUN) ?? [])
    .flatMap((run) => (isUnspaced(run) ? (run.match(SCRIPT_RUN) ?? []) : [run]))
    .flatMap((run) => (isUnspaced(run) ? pairsOf(run) : [withoutAccents(run)]));
}

/** The text in lower case, width and Han characters folded; not split. */
export const foldText = (text: string): string => foldHan(foldWidth(text)).toLowerCase();

/** True where the text has a character of a script without spaces between words. */
export const isUnspaced = (text: string): boolean => UNSPACED.test(text);

/** True for one Han or Hangul character. */
export const isSyllable = (word: string): boolean => SYLLABLE.test(word);

const foldWidth = (text: string): string => (ASCII.test(text) ? text : text.normalize("NFKC"));

const foldHan = (text: string): string =>
  ASCII.test(text) ? text : text.replace(HAN, (character) => HAN_VARIANTS.get(character) ?? character);

function pairsOf(run: string): string[] {
  const characters = [...foldHan(run)];
  const pairs = characters.slice(1).map((character, index) => `${characters[index] ?? ""}${character}`);
  return [...pairs, ...characters.filter(isSyllable)];
}

const withoutAccents = (word: string): string =>
  ASCII.test(word) ? word : word.normalize("NFD").replace(LATIN_ACCENTS, "").normalize("NFC");
