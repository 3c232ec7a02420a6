// URLs as people read them: hosts in their own script, paths without percent signs, wherever nothing is mistaken for something else.

/** Punycode (RFC 3492), whose parameters these are. */
const [BASE, LEAST, MOST, SKEW, DAMP, FIRST_BIAS, FIRST_CODE] = [36, 1, 26, 38, 700, 72, 128];

function adapted(delta: number, count: number, isFirst: boolean): number {
  let left = Math.floor(delta / (isFirst ? DAMP : 2));
  left += Math.floor(left / count);
  let bias = 0;
  for (; left > ((BASE - LEAST) * MOST) / 2; bias += BASE) left = Math.floor(left / (BASE - LEAST));
  return bias + Math.floor(((BASE - LEAST + 1) * left) / (left + SKEW));
}

/** What follows `xn--` in a label, decoded. Whether it was such a text is seen by encoding it again. */
function decoded(text: string): string {
  const end = Math.max(0, text.lastIndexOf('-'));
  const codes = [...text.slice(0, end)].map((each) => each.codePointAt(0)!);
  let [code, bias, at] = [FIRST_CODE, FIRST_BIAS, 0];
  for (let read = end === 0 ? 0 : end + 1; read < text.length; ) {
    const before = at;
    for (let [weight, k] = [1, BASE]; ; k += BASE) {
      const digit = Number.parseInt(text[read] ?? '', 36);
      read += 1;
      // Letters come before digits there.
      const value = digit < 10 ? digit + 26 : digit - 10;
      at += value * weight;
      const threshold = Math.min(Math.max(k - bias, LEAST), MOST);
      if (!(value >= threshold)) break;
      weight *= BASE - threshold;
    }
    const count = codes.length + 1;
    bias = adapted(at - before, count, before === 0);
    code += Math.floor(at / count);
    at %= count;
    codes.splice(at, 0, code);
    at += 1;
  }
  return String.fromCodePoint(...codes);
}

/** Scripts of which a label can be read, alone in it: without letters that go from right to left, and without all that looks like others. */
const SCRIPTS = [
  /^[-\da-zß-öø-\u0130\u0132-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u017e\u01a1\u01b0\u0219\u021b\u1ea0-\u1ef9]+$/u,
  /^[-\d\p{Script=Greek}]+$/u,
  /^[-\d\p{Script=Cyrillic}]+$/u,
  /^[-\d\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+$/u,
  /^[-\d\p{Script=Han}\p{Script=Hangul}]+$/u,
  /^[-\d\p{Script=Devanagari}]+$/u,
];
/** A label of these alone looks like a Latin one. */
const LIKE_LATIN = /^[-\dαβγεηικνορτυχωϲϳасԁеһіјӏорԛѕԝхуъьҽпгѵѡԍ]+$/u;
/** A stroke that looks like a slash. */
const STROKES = /[ノ丶丿]/u;
const MISTAKABLE = /\p{Default_Ignorable_Code_Point}|[^-\p{L}\p{M}\p{Nd}]/u;

function readableHost(host: string): string {
  if (!host.includes('xn--')) return host;
  try {
    const labels = host.split('.').map((label) => (label.startsWith('xn--') ? decoded(label.slice(4)) : label));
    const isSafe = labels.every(
      (label) =>
        SCRIPTS.some((script) => script.test(label)) &&
        !MISTAKABLE.test(label) &&
        !STROKES.test(label) &&
        (!/[^-\da-z]/u.test(label) || !LIKE_LATIN.test(label)),
    );
    const shown = labels.join('.');
    return isSafe && new URL(`https://${shown}`).hostname === host ? shown : host;
  } catch {
    return host;
  }
}

const bytesOf = (character: string): string =>
  [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');

const PLAIN = /[-\w.~]/u;
const LETTER = /[\p{L}\p{Nd}]/u;
/** Letters that would move what stands beside them, or are not seen. */
const MOVING = /\p{Default_Ignorable_Code_Point}|[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Percent signs are left before what separates, is not seen, or moves other letters: spaces, signs, and all but letters and digits. */
function readableRun(run: string): string {
  let text: string;
  try {
    text = decodeURIComponent(run);
  } catch {
    return run;
  }
  let isLetter = false;
  return [...text]
    .map((each) => {
      isLetter = (LETTER.test(each) || (isLetter && /\p{M}/u.test(each))) && !MOVING.test(each);
      return isLetter || PLAIN.test(each) ? each : bytesOf(each);
    })
    .join('');
}

/** The URL to be read. What is copied or followed is the URL itself. */
export function readableUrl(url: string): string {
  const [, scheme = '', host = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/\/)?([^/?#:]*)([^]*)$/i.exec(url)!;
  return scheme + readableHost(host) + rest.replaceAll(/(?:%[\da-f]{2})+/gi, readableRun);
}
