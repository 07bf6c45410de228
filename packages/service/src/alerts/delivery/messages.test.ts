import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHtml } from '../../../../../test/fakes/telegram.ts'
import { runs } from '../../../../../test/support/chance.ts'
import { anAlert } from '../../../../../test/support/delivery-scene.ts'
import fc from '../../../../../test/support/property.ts'
import { discordMessage } from './discord.ts'
import { alertLines } from './lines.ts'
import { telegramMessage } from './telegram.ts'

/** Names as a stranger could choose them: with markup, links, mentions and other characters. */
const HOSTILE = [
  ...[
    '</code><a href="https://evil.example">free</a>',
    '<b>',
    '&lt;',
    '&#60;script&#62;',
    '`',
    '``',
    '``` @everyone',
    '\\`',
  ],
  ...[
    '[x](https://evil.example)',
    '<@1234>',
    '<#5>',
    '@here',
    'https://evil.example',
    'evil.example',
    '/stop',
    '@somebody',
  ],
  ...['\n', '\r\n', '\u2028', '\u202e', '\u200b', '\0', '\ud800', '*_~|>#-', 'a\u0301\u0301\u0301\u0301', '"', "'"],
]
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''))
const alerts = fc.record({ title: hostile, text: fc.array(hostile, { maxLength: 8 }).map((lines) => lines.join('\n')) })
const LINK = { label: 'token', url: 'https://ti.example/token/abc' }

test('whatever strangers write, Telegram finds in it no entity but code, and no link but ours', () => {
  fc.assert(
    fc.property(alerts, (said) => {
      const message = telegramMessage(anAlert('acct', 1, { ...said, links: [LINK] }))
      const parsed = parseHtml(message.text)
      assert.ok(parsed !== null, message.text)
      assert.ok(parsed.text.length <= 4_096, `${parsed.text.length} characters`)
      const lines = alertLines(said)
      assert.deepEqual(parsed.entities, [
        ...lines.map((text) => ({ type: 'code', text })),
        { type: 'text_link', text: 'token', url: LINK.url },
      ])
      // nothing of theirs stands outside
      assert.equal(parsed.text, [...lines, 'token'].join('\n'))
      assert.equal(message.link_preview_options.is_disabled, true)
    }),
    { numRuns: runs(1_000) },
  )
})

test('whatever strangers write, in Discord it stays within spans of code, and nobody is called', () => {
  fc.assert(
    fc.property(alerts, (said) => {
      const message = discordMessage(anAlert('acct', 1, { ...said, links: [LINK] })) as {
        embeds: [{ description: string }]
        allowed_mentions: { parse: string[] }
      }
      const { description } = message.embeds[0]
      assert.deepEqual(message.allowed_mentions, { parse: [] })
      assert.ok(description.length <= 4_096, `${description.length} characters`)
      const lines = description.split('\n')
      assert.equal(lines.pop(), `[token](${LINK.url})`)
      const expected = alertLines(said)
      assert.equal(lines.length, expected.length)
      for (const [i, line] of lines.entries()) {
        // a span: one delimiter at each end, none between, not empty
        assert.match(line, /^`[^`\n]+`$/)
        assert.equal(line.slice(1, -1), expected[i]!.replaceAll('`', 'ˋ'))
      }
    }),
    { numRuns: runs(1_000) },
  )
})

test('lines keep what was said, in one line each, and are cut', () => {
  assert.deepEqual(alertLines({ title: 'A (b)', text: 'one\n\n two\u202e \nthree' }), ['A (b)', 'one', 'two', 'three'])
  const [title, ...rest] = alertLines({ title: 'x'.repeat(5_000), text: Array(9).fill('y'.repeat(5_000)).join('\n') })
  assert.deepEqual([title!.length, rest.length, rest[0]!.length], [200, 5, 300])
})

test('links that are none, or would end early, do not leave as such', () => {
  const links = [
    { label: 'a](b', url: 'https://ti.example/x(y)"z`<>' },
    { label: 'script', url: 'javascript:alert(1)' },
    { label: 'none', url: 'not a url' },
  ]
  const alert = anAlert('acct', 1, { links })
  const safe = 'https://ti.example/x%28y%29%22z%60%3C%3E'
  assert.deepEqual(parseHtml(telegramMessage(alert).text)!.entities.slice(2), [
    { type: 'text_link', text: 'ab', url: safe },
  ])
  const { embeds } = discordMessage(alert) as { embeds: [{ description: string }] }
  assert.equal(embeds[0].description.split('\n').at(-1), `[ab](${safe})`)
})
