import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { createAlertSource } from '@ti/service/alerts/source.ts'
import { createWatchBook } from '@ti/service/alerts/watches.ts'
import { createAlertWorker } from '@ti/service/alerts/worker.ts'
import { createWorkerStore } from '@ti/service/alerts/worker-store.ts'
import { Webhook } from 'standardwebhooks'
import { createFolder } from '../../properties/prefix.ts'
import { deliveryScene } from '../../support/delivery-scene.ts'
import { marketEntries } from '../../support/watchers.ts'

const TRADES = 120

test('a trade of a watched wallet arrives at a webhook, signed', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) })
  const scene = await deliveryScene(t)
  const entries = await marketEntries(7, TRADES)
  const [whole, folder] = [createFolder(), createFolder()]
  t.after(() => Promise.all([whole.remove(), folder.remove()]))
  whole.fold(entries, 1)
  const last = [...whole.store.trades(0)].at(-1)!
  const target = keyToBase58(whole.store.wallet(last.wallet)!.address)

  const me = await scene.account()
  const { secret } = await scene.add(me)
  const book = createWatchBook(scene.database, { now: scene.now })
  const made = await book.add(me, 'free', { kind: 'wallet', target, name: 'whale', minLamports: 0 })
  assert.ok(made.ok)
  let ms = 0
  const worker = createAlertWorker({
    ledger: createWorkerStore(scene.database, 'node'),
    source: createAlertSource(folder.engine, folder.store),
    places: { page: 'https://ti.example', explorer: null },
    now: () => (ms += 10_000),
    onAlerts: scene.alertStore.notify,
  })
  const half = entries.length >> 1
  folder.fold(entries.slice(0, half), 1)
  await worker.run()
  for (const entry of entries.slice(half)) {
    folder.fold([entry], 1)
    await worker.run()
  }
  await scene.drain()
  const opened = scene.received.map(
    ({ body, headers }) =>
      new Webhook(secret!).verify(body, headers) as { type: string; data: Record<string, unknown> },
  )
  const { type, data } = opened.at(-1)!
  assert.equal(type, last.isBuy ? 'alert.bought' : 'alert.sold')
  assert.deepEqual([data.wallet, data.slot, data.seq], [target, last.slot, opened.length])
  assert.deepEqual(scene.troubles, [])
})
