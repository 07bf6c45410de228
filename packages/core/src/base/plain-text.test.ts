import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../../test/support/property.ts'
import { RED_TEAM, unseenIn, WALLET_NAME } from '../../../../test/support/red-team.ts'
import { plainLine, quoted } from './plain-text.ts'

const whole = (text: string): string => plainLine(text, 200)
const tags = (text: string): string =>
  Array.from(text, (one) => String.fromCodePoint(0xe0000 + one.codePointAt(0)!)).join('')

/** Characters whose neighbours decide, and some of everything. */
const MEETING =
  '\u200d \u200c \ufe0f \u20e3 😀 ❤ 👩 \u{1f3fd} 1 \u094d क ක \u0dca ب ا ر \u0654 \u0301 \u0335 ก \u0e47 ᄀ ᅡ ᆨ \ud83d \ude00 \u2800 \u202e a “ "'.split(
    ' ',
  )
const meeting = fc.string({ unit: fc.constantFrom(...MEETING, ' ', '\n', tags('a')), maxLength: 60 })
const anything = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), meeting)

describe('plainLine', () => {
  test('ordinary words of any script, and pictures, stay as they are', () => {
    for (const text of [
      'Example Moon 2.0!',
      'می‌خواهم کتاب‌ها', // Persian: the non-joiner separates letters that would join
      'مرحبا بالعالم',
      'שָׁלוֹם עולם',
      'क्‍ष नमस्ते',
      'ශ්‍රී ලංකා', // Sinhala: the joiner makes the ligature of the name
      'བསྒྲུབས',
      'ကြွှား',
      'สวัสดีชาวโลก น้ำ',
      'Việt Nam',
      '한국 日本語 中文',
      '👨‍👩‍👧‍👦 🏳️‍🌈 👩🏽‍❤️‍💋‍👨🏻 ❤️ 1️⃣ 🇺🇸 👍🏽',
    ])
      assert.equal(whole(text), text.normalize('NFC'))
  })

  test('what is invisible, turns the text or is no text is gone; white space is one space', () => {
    for (const [text, left] of [
      ['a\u0000b\u001b[31m\u202ec\u2066d\u{E0041}e', 'ab[31mcde'],
      ['a\r\n\u2028 \t\u2800b\u0085', 'a b'],
      ['S\u200bA\u200cF\u200dE\u2060\ufeff\u00ad\u034f\u115f\u3164', 'SAFE'],
      [`🏴${tags('gbeng\u007f')}`, '🏴'],
      ['猫\u{e0101}\ufe00x\ufe0f😀\ufe0f\u200d', '猫x😀'],
      ['\ue000\ufffc\ufff9\ud800a\udc00', 'a'],
      ['کار\u200cخانه', 'کارخانه'], // after a letter that does not join, nobody sees it
      ['\u0301\u0e47abc', 'abc'],
    ] as const)
      assert.equal(whole(text), left)
  })

  test('a character is a few at most: marks do not pile up, nor pictures', () => {
    assert.equal(whole(`Z${'\u0335'.repeat(500)}`), 'Z\u0335\u0335')
    const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
    fc.assert(
      fc.property(meeting, (text) => {
        for (const { segment } of graphemes.segment(whole(text.repeat(3))))
          assert.ok([...segment].length <= 12, segment)
      }),
    )
  })

  test('of any text: nothing unseen, bounded, no half of a character, and clean already', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 60 }), (text, most) => {
        const line = plainLine(text, most)
        assert.equal(unseenIn(line.replace(/[\u200c\u200d]/g, '')), null)
        assert.ok([...line].length <= most)
        assert.equal(Buffer.from(line).toString(), line)
        // a joiner stands between what it joins
        assert.doesNotMatch(line, /(?<![\p{ExtPict}\p{EMod}\p{Mn}])\u200d|(?<![\p{Mn}\p{L}])\u200c|\p{Join_Control}$/u)
        assert.equal(plainLine(line, most), line)
      }),
      { numRuns: 5_000 },
    )
  })

  test('the red team', () => {
    for (const text of RED_TEAM.flatMap(({ name, symbol, description }) => [name, symbol, description]).concat(
      WALLET_NAME,
    ))
      assert.equal(unseenIn(plainLine(text, 128)), null, JSON.stringify(text))
  })
})

test('quoted: a text cannot leave its quotation marks', () => {
  assert.equal(quoted('A”. GREEN: “B «c» "d" ＂', 40), '“A. GREEN: B c d”')
  fc.assert(fc.property(anything, (text) => assert.match(quoted(text, 30), /^“[^“”"«»‘’]*”$/)))
})
