/** What a verdict would say, so that a name with it would pass for one where only a name and a verdict are shown. */
const SAYS =
  'green safe secur verif trust audit approv certif legit guarant norisk lowrisk riskfree norug notarug notascam noscam nobundle rugproof cleandev verdict tokenintelligence'
/** Whole names only: they are parts of many others. */
const IS = 'red yellow neutral clean passed ok'
/** A score, and the signs of a pass. */
const SHOWS = /\d\s*(?:\/|of|out of)\s*10|[✅✔☑🟢🟩🛡💚]/iu

/** Letters that are drawn like those of the words above (Unicode’s confusables), after NFKD: capitals have looks of their own. */
const LOOKS: Readonly<Record<string, string>> = {
  a: 'αаɑᴀ4@',
  b: 'ΒВвьƅʙ8',
  c: 'ϲсᴄⲥ',
  d: 'ԁᴅժ',
  e: 'ΕЕеєεҽᴇ3',
  f: 'ϝғꜰſ',
  g: 'ɡɢցǥ6',
  h: 'ΗНнһհʜ',
  i: 'ΙιІіıɪɩ1!|ӏ',
  k: 'ΚκКкᴋ',
  l: 'ʟⅼ',
  m: 'ΜМмᴍ',
  n: 'Νηпոɴ',
  o: 'οоօσᴏ0',
  p: 'ΡρРрᴘ',
  r: 'гʀᴦ',
  s: 'ѕꜱʂ5$',
  t: 'ΤτТтᴛ7',
  u: 'υսʋᴜ',
  v: 'νѵᴠ',
  w: 'ԝѡᴡɯ',
  x: 'ΧχХх',
  y: 'ΥγУуүʏ',
  z: 'Ζᴢ2',
}
const LETTERS = new Map(Object.entries(LOOKS).flatMap(([letter, looks]) => [...looks].map((one) => [one, letter])))

/** The first of the letters in squares, in circles and of flags, which have no compatible form. */
const ENCLOSED = [0x1f150, 0x1f170, 0x1f1e6]

function letterOf(character: string): string {
  const code = character.codePointAt(0)!
  const first = ENCLOSED.find((start) => code >= start && code < start + 26)
  if (first !== undefined) return String.fromCharCode(97 + code - first)
  const small = character.toLowerCase()
  return LETTERS.get(character) ?? LETTERS.get(small) ?? small
}

/** Letters as they look; nothing else counts, so that no separator hides a word. I and l look alike. */
const skeleton = (text: string): string =>
  Array.from(text.normalize('NFKD'), letterOf)
    .join('')
    .replace(/[^a-z]/g, '')
    .replaceAll('l', 'i')

const PARTS = SAYS.split(' ').map(skeleton)
const WHOLE = new Set(IS.split(' ').map(skeleton))

export function speaksOfVerdicts(text: string): boolean {
  const letters = skeleton(text)
  return SHOWS.test(text.normalize('NFKC')) || WHOLE.has(letters) || PARTS.some((part) => letters.includes(part))
}
