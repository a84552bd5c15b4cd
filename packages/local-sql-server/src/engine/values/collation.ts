/** Collations: which texts are equal, and how they sort. */
import { sqlError } from '../../tsql/sql-error.ts';
import { withoutTrailingSpaces } from './without-trailing-spaces.ts';

const sensitivities = ['ci_as', 'cs_as', 'ci_ai', 'cs_ai'] as const;
const alphabets = ['', 'danish_', 'swedish_', 'turkish_'] as const;

/** How a collation compares: by code point, or by the letters of an alphabet, with or without case and accents. */
export type Comparison = 'binary' | `${(typeof alphabets)[number]}${(typeof sensitivities)[number]}`;

/** All ways to compare that need a key. */
export const comparisons = alphabets.flatMap((alphabet) =>
  sensitivities.map((sensitivity) => `${alphabet}${sensitivity}` as const),
);

const names =
  `Albanian Arabic Assamese Azeri_Cyrillic Azeri_Latin Bashkir Bengali Bosnian_Cyrillic Bosnian_Latin Breton Chinese_PRC
  Chinese_PRC_Stroke Chinese_Taiwan_Stroke Corsican Croatian Cyrillic_General Czech Danish_Greenlandic Danish_Norwegian Dari
  Divehi Estonian Finnish_Swedish French Frisian Georgian_Modern_Sort German_PhoneBook Greek Hebrew Hungarian
  Hungarian_Technical Icelandic Indic_General Japanese Japanese_XJIS Kazakh Khmer Korean_Wansung Lao Latin1_General Latvian
  Lithuanian Macedonian_FYROM Maltese Maori Modern_Spanish Nepali Norwegian Pashto Persian Polish Romanian Romansh Sami_Norway
  Sami_Sweden_Finland Serbian_Cyrillic Serbian_Latin Slovak Slovenian Syriac Tamazight Tatar Thai Tibetan Traditional_Spanish
  Turkish Turkmen Uighur Ukrainian Upper_Sorbian Urdu Uzbek_Latin Vietnamese Welsh Yakut`.split(/\s+/);
const supportedName = new RegExp(
  `^((${names.join('|')})(_(90|100|140|160))?|SQL_[A-Za-z0-9]+(_[A-Za-z0-9]+)*?_CP[0-9]+|SQL_Latin1_General_Pref_CP[0-9]+)` +
    '_(BIN2?|C[IS]_A[IS](_KS)?(_WS)?(_VSS)?(_SC)?)(_UTF8)?$',
  'i',
);

/** What a collation's name says. Throws 448 for a name that is none. */
export function comparisonOf(collation: string): Comparison {
  const found = compared.get(collation);
  if (found) return found;
  if (!supportedName.test(collation)) throw sqlError(448, collation);
  const comparison = comparisonNamed(collation);
  compared.set(collation, comparison);
  return comparison;
}

const compared = new Map<string, Comparison>();

function comparisonNamed(collation: string): Comparison {
  if (/_BIN2?(_UTF8)?$/i.test(collation)) return 'binary';
  const sensitiveToCase = /_CS_/i.test(collation);
  const sensitiveToAccents = /_AS/i.test(collation);
  const alphabet = /^(Danish|Norwegian)/i.test(collation)
    ? 'danish_'
    : /^Finnish_Swedish/i.test(collation)
      ? 'swedish_'
      : /^(Turkish|Azeri_Latin)/i.test(collation)
        ? 'turkish_'
        : '';
  return `${alphabet}${sensitiveToCase ? 'cs' : 'ci'}_${sensitiveToAccents ? 'as' : 'ai'}`;
}

/** The collation that COLLATE names in a database of the given one. Throws 448. */
export function collationNamed(name: string, database: string): string {
  if (/^database_default$/i.test(name)) return database;
  comparisonOf(name);
  return name;
}

/** Whether a varchar of this collation holds all of Unicode. */
export function isUtf8(collation: string | undefined): boolean {
  return collation !== undefined && /_UTF8$/i.test(collation);
}

const isPlain = /^[\u0020-\u007e]*$/;
const diacritics = /[\u0300-\u036f]/g;
/** Signs sort before digits, digits before letters; ASCII has some signs after them. */
const lateSigns = /[:-@[-`{-~]/g;

/**
 * A text whose binary order and equality are those of a collation: letters first, then accents, then case;
 * trailing spaces do not count. Sorting signs is simplified: they come before digits, in ASCII order.
 */
export function collationKey(text: string, comparison: Comparison): string {
  const trimmed = withoutTrailingSpaces(text);
  if (comparison === 'binary') return trimmed;
  const isPlainText = isPlain.test(trimmed) && !/^[dt]/.test(comparison);
  const decomposed = isPlainText ? trimmed : lettersOf(trimmed, comparison);
  const base = decomposed
    .replace(diacritics, '')
    .toLowerCase()
    .replace(lateSigns, (sign) => `/${sign}`);
  const accents = comparison.endsWith('as') ? accentsOf(decomposed) : '';
  const cases = comparison.includes('cs_') ? caseOf(decomposed) : '';
  return cases ? `${base}\u0001${accents}\u0001${cases}` : accents ? `${base}\u0001${accents}` : base;
}

/** Where letters sort that are no letter of a to z with a mark; `~` comes behind all of them. */
const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': { ß: 'ss', æ: 'ae', ø: 'o\u007f', đ: 'd\u007f', ł: 'l\u007f' },
  danish_: {
    ß: 'ss',
    æ: 'z\u007fa',
    ä: 'z\u007fa',
    ø: 'z\u007fb',
    ö: 'z\u007fb',
    å: 'z\u007fc',
    aa: 'z\u007fc',
  },
  turkish_: {
    ß: 'ss',
    æ: 'ae',
    ø: 'o\u007f',
    đ: 'd\u007f',
    ł: 'l\u007f',
    ç: 'c\u007f',
    ğ: 'g\u007f',
    ı: 'h\u007f',
    ö: 'o\u007e',
    ş: 's\u007f',
    ü: 'u\u007f',
  },
  swedish_: { ß: 'ss', å: 'z\u007fa', ä: 'z\u007fb', æ: 'z\u007fb', ö: 'z\u007fc', ø: 'z\u007fc' },
};

function lettersOf(text: string, comparison: Comparison): string {
  const letters = places[comparison.replace(/c[is]_a[is]$/, '')] ?? {};
  const isTurkish = comparison.startsWith('turkish_');
  // I is the capital of ı, which stands behind h, and İ that of i.
  const composed = isTurkish
    ? text.normalize('NFC').replaceAll('I', 'H\u007f').replaceAll('İ', 'I')
    : text.normalize('NFC');
  const placed = composed.replace(/aa|[^ -~]/gi, (letter) => {
    const found = letters[letter.toLowerCase()];
    if (found === undefined) return letter;
    return letter === letter.toLowerCase() ? found : `${found.charAt(0).toUpperCase()}${found.slice(1)}`;
  });
  return placed.normalize('NFD');
}

/** I is the capital of ı in Turkish, and İ that of i: each pair as letters that JavaScript takes for one. */
function withTurkishCase(text: string): string {
  return text.replace(/[Iİ]/g, (letter) => (letter === 'I' ? 'ı' : 'i'));
}

/** The letters that LIKE and searches look at, in which a pair that is one letter of an alphabet is one; as long as before, if that is asked for. */
export function searchedLetters(text: string, comparison: Comparison, keepsLength = false): string {
  if (comparison.startsWith('turkish_')) return withTurkishCase(text);
  if (!comparison.startsWith('danish_')) return text;
  const rest = keepsLength ? '\0' : '';
  return text.replace(/aa/gi, (pair) => (pair.startsWith('A') ? 'Å' : 'å') + rest);
}

/** Places that one character says, and the first of these characters. All that are used are below the surrogates, of which a half is no text. */
const placesPerCharacter = 0x8000;
const firstPlace = 0x20;

/** A place as text, in the order of places: a far one begins with a character behind those of all near ones. */
function placeText(place: number): string {
  const near = String.fromCharCode(firstPlace + (place % placesPerCharacter));
  const far = Math.floor(place / placesPerCharacter);
  return far === 0 ? near : String.fromCharCode(firstPlace + placesPerCharacter + far - 1) + near;
}

/** The marks with their places, so that `né` and `ńe` differ. */
function accentsOf(text: string): string {
  if (isPlain.test(text)) return '';
  let accents = '';
  let place = 0;
  for (const character of text) {
    if (/[\u0300-\u036f]/.test(character)) accents += placeText(place) + character;
    else place++;
  }
  return accents;
}

function caseOf(text: string): string {
  return Array.from(text.replace(diacritics, ''), (letter) =>
    letter === letter.toLowerCase() ? '0' : '1',
  ).join('');
}

const windows1252 = new TextDecoder('windows-1252');
const inCodePage = new Set(Array.from({ length: 256 }, (_, byte) => windows1252.decode(Uint8Array.of(byte))));

/** What Windows puts in place of characters that code page 1252 lacks, besides letters with marks: pairs of a character and its best fit. */
const fits = new Map(
  `ĐÐ đd ĦH ħh ıi ŁL łl ŦT ŧt ƀb Ɖ\u00d0 Ƒƒ ƗI ƚl ƟO ƫt ƮT ƶz ǀ| ǃ! ǤG ǥg ɡg ʹ' ʺ" ʼ' ˄^ ˈ' ˋ\` ˍ_ ΓG ΘT ΣS ΦF ΩO αa δd εe πp σs τt φf
  ‐- ‑- ‗= ′' ‵\` ⁄/ ⁴4 ⁵5 ⁶6 ⁷7 ⁸8 ⁿn ₀0 ₁1 ₂2 ₃3 ₄4 ₅5 ₆6 ₇7 ₈8 ₉9 −- ∕/ ∖\\ ∗* ∙· √v ∞8 ∣| ∩n ∶: ∼~ ≈˜ ≡= ≤= ≥= ≪« ≫» ⋅·`
    .split(/\s+/)
    .map((pair): [string, string] => [pair.charAt(0), pair.charAt(1)]),
);

/** Returns what Windows takes for a character that code page 1252 lacks; a letter with marks loses them. */
function bestFit(character: string): string {
  const fit = fits.get(character);
  if (fit !== undefined) return fit;
  const code = character.charCodeAt(0);
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  const isLatin = code >= 0x100 && code <= 0x1f0;
  const letter = isLatin ? character.normalize('NFD').charAt(0) : '?';
  return letter < '\u007f' ? letter : '?';
}

/** Replaces what code page 1252 lacks by its best fit or a question mark, as a conversion to varchar does. */
export function toCodePage(text: string): string {
  if (isPlain.test(text)) return text;
  let out = '';
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    out += inCodePage.has(character) ? character : bestFit(character);
  }
  return out;
}
