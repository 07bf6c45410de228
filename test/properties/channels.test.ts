import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWN_TOPIC, perTopic, sourceOf } from '@ti/core/contract/streams.ts'
import type { Context } from '@ti/service/faces/live/channels.ts'
import { binaryPush, createPaperSocket, type PaperSocket } from '../support/channels-socket.ts'
import fc from '../support/property.ts'
import {
  expectBroadcast,
  expectClose,
  expectEnd,
  expectMessage,
  KEPT,
  type Model,
  NAMES,
  type Name,
  newSocket,
  type Sent,
} from './channels-model.ts'

/**
 * Histories of two sockets, with codec and reducer against the model: clients that join, leave, resume and send rubbish,
 * servers that broadcast, end channels and sockets. After each step exactly the expected frames have come out, in order.
 */
interface World {
  readonly sockets: PaperSocket[]
  /** what each topic still holds, as the hub would: the reducer is told where it begins and ends */
  readonly held: Record<Name, number[]>
  readonly newest: Record<Name, number>
}
type Command = fc.Command<Model, World>

const contextOf = (world: World, channelsMax: number): Context => ({
  position(topic) {
    if (topic === OWN_TOPIC) return null
    const source = sourceOf(topic)
    return { seq: world.newest[source], oldestSeq: world.held[source][0] ?? 1 }
  },
  channelsMax,
})

function command(name: string, run: (model: Model, world: World) => void): Command {
  return { check: () => true, run, toString: () => name }
}

/** The socket's own frame of a message; binary where that can say it. */
function encodeFrame(version: 1 | 2, sent: Sent, binary: boolean): string | Buffer {
  const { joinRef, ref, topic, event, payload } = sent
  if (version === 1) {
    const text = JSON.stringify({ ...(joinRef === null ? {} : { join_ref: joinRef }), ref, topic, event, payload })
    return binary ? Buffer.from(text) : text
  }
  const strings = [joinRef, ref, topic, event].every(isUtf8String)
  if (!binary || !strings) return JSON.stringify([joinRef, ref, topic, event, payload])
  return binaryPush(joinRef as string, ref as string, topic as string, event as string, 'data')
}

const isUtf8String = (value: unknown): boolean => typeof value === 'string' && Buffer.from(value).toString() === value

/** What cannot be told from the command alone: the join_ref of the channel that is joined when it runs. */
const CURRENT = Symbol('current')

function say(which: number, sent: Sent, binary: boolean): Command {
  const refs = sent.joinRef === CURRENT ? 'the current join_ref' : JSON.stringify(sent.joinRef)
  const { ref, topic, event, payload } = sent
  const name = `${which} says ${refs} ${JSON.stringify([ref, topic, event, payload])}${binary ? ' in binary' : ''}`
  return command(name, (model, world) => {
    const socket = model.sockets[which]!
    const channel = socket.joined.find((one) => one.name === topic)
    const joinRef = sent.joinRef === CURRENT ? (channel?.joinRef ?? null) : sent.joinRef
    const frame = encodeFrame(socket.version, { ...sent, joinRef }, binary)
    // the data of a binary push is no JSON, so it carries no after_seq
    const seen = socket.version === 2 && Buffer.isBuffer(frame) ? null : payload
    const expected = expectMessage(model, socket, { ...sent, joinRef, payload: seen })
    assert.deepEqual(world.sockets[which]!.receive(frame), expected)
  })
}

const socketIndex = fc.nat(1)
const name = fc.constantFrom(...NAMES)
const ref = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('1', '2', '3') },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: fc.constantFrom(1, 2.5, 'é"\\\u2028', '\ud800', '') },
  { weight: 1, arbitrary: fc.constantFrom([1, '2'], { a: null }, true) },
)
const someRef = fc.oneof({ weight: 3, arbitrary: ref }, { weight: 2, arbitrary: fc.constant(CURRENT) })
const good = fc.nat(2 * KEPT + 2).map((after_seq) => ({ after_seq }))
const bad = fc.constantFrom(-1, 1.5, 2 ** 53, '5', null, true, [3], {}).map((after_seq) => ({ after_seq }))
const payload = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom({}, null, [], 'after_seq', { before_seq: 1 }) },
  { weight: 3, arbitrary: good },
  { weight: 1, arbitrary: bad },
)
const topic = fc.oneof(
  { weight: 5, arbitrary: name as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: fc.constantFrom('phoenix', 'tokens:dead', '', 7, null, ['tokens:live']) },
)
const event = fc.constantFrom('shout', 'heartbeat', 'phx_close', 'phx_error', 'phx_reply', '', 7, null)
const speak = (joinRef: fc.Arbitrary<unknown>, to: fc.Arbitrary<unknown>, what: fc.Arbitrary<unknown>) =>
  fc
    .tuple(socketIndex, fc.record({ joinRef, ref, topic: to, event: what, payload }), fc.nat(5))
    .map(([which, sent, form]) => say(which, sent, form === 0))

/** Malformed on both kinds of socket; JSON text in a binary frame is malformed on one, so it is not among them. */
const RUBBISH = [
  '',
  'x',
  'null',
  '"1"',
  '{}',
  '[]',
  '[1,"2","phoenix","heartbeat"]',
  `[${'['.repeat(9_000)}`,
  '{"ref":1}',
]
const rubbish: fc.Arbitrary<string | Buffer | 'of the other version'> = fc.oneof(
  fc.constantFrom(...RUBBISH),
  fc.constantFrom(Buffer.alloc(0), Buffer.from([1, 2, 3]), Buffer.from([0, 9, 9, 9, 9, 1]), Buffer.from([0x22, 0xff])),
  fc.constant('of the other version' as const),
)
const garble = fc.tuple(socketIndex, rubbish).map(([which, what]) =>
  command(`${which} sends rubbish ${String(what).slice(0, 40)}`, (model, world) => {
    const socket = model.sockets[which]!
    const heartbeat = { joinRef: null, ref: '1', topic: 'phoenix', event: 'heartbeat', payload: {} }
    const frame = what === 'of the other version' ? encodeFrame(socket.version === 1 ? 2 : 1, heartbeat, false) : what
    assert.deepEqual(world.sockets[which]!.receive(frame), expectClose(model, socket, 1011))
  }),
)

const broadcast = name.map((to) =>
  command(`event on ${to}`, (model, world) => {
    const seq = ++model.events[to]
    world.newest[to] = seq
    world.held[to] = [...world.held[to], seq].slice(-KEPT)
    for (const [which, socket] of model.sockets.entries()) {
      const got = world.sockets[which]!.broadcast(to, 'happened', JSON.stringify({ seq }))
      assert.deepEqual(got, expectBroadcast(model, socket, to, 'happened', { seq }))
    }
  }),
)

const serverEnd = fc.tuple(socketIndex, fc.nat(3), fc.boolean()).map(([which, back, close]) =>
  command(
    `the server ends a channel of ${which}, ${back} before the next, ${close ? 'close' : 'error'}`,
    (model, world) => {
      const socket = model.sockets[which]!
      const channel = socket.made - back
      const expected = expectEnd(model, socket, channel, close ? 'phx_close' : 'phx_error')
      assert.deepEqual(world.sockets[which]!.feed({ kind: 'end', channel, how: close ? 'close' : 'error' }), expected)
    },
  ),
)

const CLOSES = { idle: 1002, dismissed: 1001, drain: 1012, slow: 1013, flood: 1008, gone: null } as const
const kind = fc.constantFrom(...(Object.keys(CLOSES) as (keyof typeof CLOSES)[]))
const serverClose = fc.tuple(socketIndex, kind).map(([which, kind]) =>
  command(`${which} is ${kind}`, (model, world) => {
    const socket = model.sockets[which]!
    // a socket that has closed only hears that the connection is gone
    const input = socket.open ? kind : 'gone'
    const expected = expectClose(model, socket, CLOSES[input])
    assert.deepEqual(world.sockets[which]!.feed({ kind: input }), expected)
    assert.equal(world.sockets[which]!.subscribed(), 0, 'nothing is subscribed any more')
  }),
)

const reconnect = fc.tuple(socketIndex, fc.constantFrom(1 as const, 2 as const), fc.constantFrom(1, 2, 2)).map(
  ([which, version, roomFor]): Command => ({
    check: (model) => !model.sockets[which]!.open,
    run: (model, world) => {
      assert.equal(world.sockets[which]!.subscribed(), 0, 'the old socket left nothing behind')
      model.sockets[which] = newSocket(version, roomFor)
      world.sockets[which] = createPaperSocket(version, contextOf(world, roomFor))
    },
    toString: () => `${which} connects, version ${version}, room for ${roomFor}`,
  }),
)

const times = (count: number, command: fc.Arbitrary<Command>) => Array<fc.Arbitrary<Command>>(count).fill(command)

const COMMANDS = fc.commands(
  [
    ...times(8, speak(ref, topic, fc.constant('phx_join'))),
    ...times(4, speak(someRef, topic, fc.constant('phx_leave'))),
    ...times(4, speak(someRef, topic, event)),
    ...times(4, broadcast),
    ...times(3, reconnect),
    speak(ref, fc.constant('phoenix'), fc.constant('heartbeat')),
    ...times(2, serverEnd),
    garble,
    serverClose,
  ],
  { maxCommands: 60, size: 'max' },
)

/** All of these must have come up, and not by a lucky chance: usual are a hundred to thousands. */
const EACH_AT_LEAST = 20
const INTERESTING = `
  rejoin, stale leave, stale event, leave, leave with null, leave of nothing, unmatched topic, unknown event, heartbeat,
  bad after_seq, bad after_seq on a rejoin, resumed, not resumed, join with null, too many, delivered, phx_close, phx_error,
  close while joined, disconnect while joined, close 1011, close 1002, close 1001, close 1012, close 1013, close 1008,
  disconnect`

test('histories of joins, leaves and ends give what the model says', () => {
  const counts = new Map<string, number>()
  const history = (commands: Iterable<Command>) => {
    const setup = () => {
      const model: Model = {
        sockets: [newSocket(2, 2), newSocket(1, 2)],
        events: perTopic(() => 0),
        counts,
      }
      const real: World = {
        sockets: [],
        held: perTopic(() => []),
        newest: perTopic(() => 0),
      }
      for (const { version, roomFor } of model.sockets) {
        real.sockets.push(createPaperSocket(version, contextOf(real, roomFor)))
      }
      return { model, real }
    }
    fc.modelRun(setup, commands)
  }
  fc.assert(fc.property(COMMANDS, history), { numRuns: 1_500, includeErrorInReport: true })
  const rare = INTERESTING.split(',').filter((what) => (counts.get(what.trim()) ?? 0) < EACH_AT_LEAST)
  assert.deepEqual(rare, [], JSON.stringify([...counts]))
})
