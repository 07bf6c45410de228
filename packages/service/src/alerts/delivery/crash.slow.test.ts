import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryScene } from '../../../../../test/support/delivery-scene.ts'
import type { DeliveryQueue } from './queue.ts'
import { CLAIM_MS } from './queue.ts'
import type { Sender } from './sender.ts'

const ALERTS = 2
const STEPS = ['behind', 'handOver', 'due', 'claim', 'note'] as const

class Crash extends Error {}

/** Ends a node before or after its n-th step: from then on nothing it does happens. */
function crashAt(n: number) {
  let count = 0
  const taken: string[] = []
  const step = (what: string): void => {
    taken.push(what)
    if (++count > n) throw new Crash(what)
  }
  const over = (queue: DeliveryQueue): DeliveryQueue => {
    const wrapped = { ...queue } as Record<(typeof STEPS)[number], (...args: never[]) => Promise<unknown>>
    for (const name of STEPS) {
      const real = wrapped[name]
      wrapped[name] = async (...args) => {
        step(`before ${name}`)
        const result = await real(...args)
        step(`after ${name}`)
        return result
      }
    }
    return { ...queue, ...(wrapped as unknown as DeliveryQueue) }
  }
  const sending = (sender: Sender): Sender => ({
    turnMs: sender.turnMs,
    async send(...sent) {
      step('before send')
      const outcome = await sender.send(...sent)
      step('after send')
      return outcome
    },
  })
  return { over, sending, taken, hasCrashed: () => count > n }
}

test('a node that dies at any step loses nothing, and sends twice only what it had sent and not noted', async (t) => {
  const scene = await deliveryScene(t)
  const { database } = scene
  for (let n = 0; ; n++) {
    await database.sql.deleteFrom('destinations').execute()
    await database.sql.deleteFrom('leases').execute()
    scene.received.length = 0
    const me = await scene.account()
    const { destination } = await scene.add(me)
    await scene.emit(me, ALERTS)
    const crash = crashAt(n)
    const dying = scene.node('dying', crash.over, { webhook: crash.sending(scene.senders.webhook) })
    await dying.drain().catch((error: unknown) => assert.ok(error instanceof Crash, String(error)))
    assert.ok(
      dying.troubles.every((error) => error instanceof Crash),
      String(dying.troubles),
    )
    const sent = scene.received.length
    const noted = (await scene.deliveries(destination.id)).filter(({ state }) => state === 'delivered').length
    if (crash.hasCrashed()) {
      // its lease ends, and then its claim
      await database.sql
        .updateTable('leases')
        .set({ lease_until: new Date(0) })
        .execute()
      const heir = scene.node('heir')
      await heir.drain()
      scene.pass(CLAIM_MS)
      await heir.drain()
      assert.deepEqual(heir.troubles, [])
    }
    const ids = scene.received.map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, ALERTS, `lost after ${n} steps`)
    assert.equal(ids.length, ALERTS + sent - noted, `step ${n}`)
    assert.ok(sent - noted <= 1)
    const states = (await scene.deliveries(destination.id)).map(({ state }) => state)
    assert.deepEqual(states, Array(ALERTS).fill('delivered'))
    if (!crash.hasCrashed()) {
      // every kind of step was a place to die at
      for (const what of [...STEPS, 'send']) assert.ok(crash.taken.includes(`after ${what}`), what)
      assert.ok(n > 15, `${n} steps`)
      break
    }
  }
})
