import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../api/ask.ts'
import type { Alert } from './alert.ts'
import { createAlerts, newestOf, unreadOf } from './store.ts'

const alertOf = (seq: number): Alert => ({
  ...{ seq, id: `alert_${seq}`, watch: { id: 'watch_1', name: 'MOTH' }, event: 'graduated', title: `MOTH ${seq}` },
  ...{ text: '', why: {}, mint: null, wallet: null, slot: seq, at: seq, links: [] },
})

/** The stub keeps the alerts from `first` to `newest` and answers like `/account/alerts`. */
function scene({ first = 1, newest = 0, read = 0 }: { first?: number; newest?: number; read?: number } = {}) {
  const service = { first, newest, away: false }
  const kept = new Map<string, number>([['wallet', read]])
  const news: number[] = []
  const asked: string[] = []
  const between = (from: number, to: number): Alert[] =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => alertOf(from + i))
  const alerts = createAlerts({
    async get(path): Promise<Answer<readonly Alert[]>> {
      asked.push(path)
      if (service.away) return { ok: false, status: 503, error: { code: 'unavailable', message: 'later' } }
      const after = /after_seq=(\d+)/.exec(path)?.[1]
      const before = /before_seq=(\d+)/.exec(path)?.[1]
      const { first: oldest, newest } = service
      const last = before === undefined ? newest : Number(before) - 1
      const data =
        after === undefined
          ? between(Math.max(oldest, last - 99), last).reverse()
          : between(Math.max(oldest, Number(after) + 1), Math.min(last, Math.max(oldest, Number(after) + 1) + 99))
      return { ok: true, data, meta: { cached_at: '' } }
    },
    readOf: (account) => kept.get(account) ?? 0,
    keepRead: (account, seq) => void kept.set(account, seq),
    onNew: (fresh) => news.push(...fresh.map(({ seq }) => seq)),
  })
  const seqs = () => alerts.state().alerts?.map(({ seq }) => seq) ?? null
  return { service, alerts, seqs, news, kept, asked }
}

const down = (from: number, to: number): number[] => Array.from({ length: from - to + 1 }, (_, i) => from - i)

test('what is there when the page opens is unread from where it was left, and no news', async () => {
  const { alerts, seqs, news } = scene({ newest: 7, read: 4 })
  alerts.of('wallet')
  await alerts.catchUp()
  assert.deepEqual([seqs(), unreadOf(alerts.state()), news], [down(7, 1), 3, []])
})

test('the stream adds what follows; a gap is asked for; what is known is not told twice', async () => {
  const { service, alerts, seqs, news, asked } = scene({ newest: 2 })
  alerts.of('wallet')
  await alerts.catchUp()
  const before = asked.length
  alerts.heard(alertOf(3))
  alerts.heard(alertOf(3))
  assert.deepEqual([seqs(), asked.length], [down(3, 1), before])
  service.newest = 6
  alerts.heard(alertOf(6))
  await alerts.catchUp()
  assert.deepEqual(seqs(), down(6, 1))
  assert.deepEqual(news, [3, 4, 5, 6])
})

test('more than one answer holds is asked for until it is there', async () => {
  const { service, alerts, seqs } = scene({ newest: 1 })
  alerts.of('wallet')
  await alerts.catchUp()
  service.newest = 251
  await alerts.catchUp()
  assert.deepEqual(seqs(), down(251, 1))
})

test('older ones come page by page, each once, also where the oldest are no longer kept', async () => {
  const { alerts, seqs } = scene({ first: 131, newest: 400 })
  alerts.of('wallet')
  await alerts.catchUp()
  for (let i = 0; i < 5 && alerts.state().more; i++) await alerts.older()
  assert.deepEqual(seqs(), down(400, 131))
  const all = scene({ newest: 250 })
  all.alerts.of('wallet')
  await all.alerts.catchUp()
  for (let i = 0; i < 5 && all.alerts.state().more; i++) await all.alerts.older()
  assert.deepEqual([all.seqs(), all.alerts.state().more], [down(250, 1), false])
})

test('what a person has seen stays read', async () => {
  const { alerts, kept } = scene({ newest: 3 })
  alerts.of('wallet')
  await alerts.catchUp()
  alerts.markRead()
  assert.deepEqual([unreadOf(alerts.state()), kept.get('wallet')], [0, 3])
  alerts.heard(alertOf(4))
  assert.equal(unreadOf(alerts.state()), 1)
})

test('a failure is said, keeps what is known, and is over with the next answer', async () => {
  const { service, alerts, seqs } = scene({ newest: 2 })
  alerts.of('wallet')
  await alerts.catchUp()
  service.away = true
  await alerts.catchUp()
  assert.deepEqual([alerts.state().failure?.status, seqs()], [503, [2, 1]])
  service.away = false
  await alerts.catchUp()
  assert.equal(alerts.state().failure, null)
})

test('alerts of an account that has left are not shown to the next', async () => {
  const { service, alerts } = scene({ newest: 2 })
  alerts.of('wallet')
  const late = alerts.catchUp()
  service.newest = 0
  alerts.of('other')
  await late
  await alerts.catchUp()
  assert.deepEqual([alerts.state().alerts, newestOf(alerts.state())], [[], 0])
  alerts.of(null)
  assert.equal(alerts.state().alerts, null)
})
