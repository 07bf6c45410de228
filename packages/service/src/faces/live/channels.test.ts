import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BAD,
  binaryPush,
  CONTEXT,
  LIVE,
  malformed,
  OK,
  type PaperSocket,
  play,
  RESUMED,
  type Row,
  refusal,
  testRows,
  UNKNOWN,
  UNMATCHED,
} from '../../../../../test/support/channels-socket.ts'
import { type Context, type Input, NO_CHANNELS, pushRef, reduce } from './channels.ts'
import { decodeText } from './codec.ts'

/**
 * What Phoenix 1.7.18 and 1.8 do on the wire, a row for each behaviour, and what we do where the choice is the
 * application's. Codec and reducer together, in exact frames: strings and Buffers come from the client, the rest happens
 * in the server. Outputs are written as `createPaperSocket` says. Rows not here are the socket's own: 1 to 4 (upgrade),
 * 24 (ping), 26 (frames the WebSocket refuses), 31 and 32 (headers).
 */
const JOIN = '["1","2","tokens:live","phx_join",{}]'
const JOINED = [`["1","2","tokens:live","phx_reply",${LIVE}]`, '+0 tokens:live']
const CLOSED = ['-0', '["1","1","tokens:live","phx_close",{}]']
const NULL_JOIN = '[null,"2","tokens:live","phx_join",{}]'
const NULL_JOINED = [`[null,"2","tokens:live","phx_reply",${LIVE}]`, '+0 tokens:live']
const FRAMES_JOIN = '["5","5","frames:live","phx_join",{}]'
const FRAMES_JOINED = [`["5","5","frames:live","phx_reply",${LIVE}]`, '+1 frames:live']

const happens = (socket: PaperSocket): string[] => socket.broadcast('tokens:live', 'token_event', '{"n":8}')
const HAPPENED = '[null,null,"tokens:live","token_event",{"n":8}]'
const resume = (afterSeq: string) => `["1","2","tokens:live","phx_join",{"after_seq":${afterSeq}}]`
const refused = (afterSeq: string): Row => [
  10,
  `after_seq ${afterSeq} is refused, both refs echoed`,
  [resume(afterSeq), happens],
  [`["1","2","tokens:live","phx_reply",${BAD}]`],
]
const live = (afterSeq: number): Row => [
  5,
  `a join after ${afterSeq}, which is gone or yet to come, is let in live`,
  [resume(String(afterSeq))],
  JOINED,
]

const V2: readonly Row[] = [
  [5, 'a join is answered with its refs, each in its place', [JOIN], JOINED],
  [5, 'both topics at once', [JOIN, FRAMES_JOIN], [...JOINED, ...FRAMES_JOINED]],
  [
    5,
    'a join that can be resumed replays from there',
    [resume('4')],
    [`["1","2","tokens:live","phx_reply",${RESUMED}]`, '+0 tokens:live after 4'],
  ],
  [5, 'nothing missed', [resume('7')], [`["1","2","tokens:live","phx_reply",${RESUMED}]`, '+0 tokens:live after 7']],
  [5, 'the oldest', [resume('2')], [`["1","2","tokens:live","phx_reply",${RESUMED}]`, '+0 tokens:live after 2']],
  ...[1, 0, 8, Number.MAX_SAFE_INTEGER].map(live),
  [
    6,
    'the other order cannot be told apart: the first element is the join_ref',
    ['["2","1","tokens:live","phx_join",{}]', '["2","3","tokens:live","phx_leave",{}]'],
    [
      `["2","1","tokens:live","phx_reply",${LIVE}]`,
      '+0 tokens:live',
      `["2","3","tokens:live","phx_reply",${OK}]`,
      '-0',
      '["2","2","tokens:live","phx_close",{}]',
    ],
  ],
  [
    6,
    'equal refs, as the official client sends',
    ['["3","3","tokens:live","phx_join",{}]'],
    [`["3","3","tokens:live","phx_reply",${LIVE}]`, '+0 tokens:live'],
  ],
  [
    7,
    'numbers come back as numbers, and 1 is not "1"',
    ['[1,2,"tokens:live","phx_join",{}]', '["1",3,"tokens:live","phx_leave",{}]', '[1,4,"tokens:live","phx_leave",{}]'],
    [
      `[1,2,"tokens:live","phx_reply",${LIVE}]`,
      '+0 tokens:live',
      `[1,4,"tokens:live","phx_reply",${OK}]`,
      '-0',
      '[1,1,"tokens:live","phx_close",{}]',
    ],
  ],
  [
    7,
    'joined with null: a leave is answered with the ref of the join, and its close has it',
    [NULL_JOIN, '[null,"3","tokens:live","phx_leave",{}]'],
    [...NULL_JOINED, `["2","3","tokens:live","phx_reply",${OK}]`, '-0', '[null,"2","tokens:live","phx_close",{}]'],
  ],
  [
    7,
    'joined with null: no join_ref is stale',
    [NULL_JOIN, '["9","3","tokens:live","shout",{}]', '["2","4","tokens:live","phx_leave",{}]'],
    [
      ...NULL_JOINED,
      `["2","3","tokens:live","phx_reply",${UNKNOWN}]`,
      `["2","4","tokens:live","phx_reply",${OK}]`,
      '-0',
      '[null,"2","tokens:live","phx_close",{}]',
    ],
  ],
  [
    7,
    'both refs null',
    ['[null,null,"tokens:live","phx_join",{}]'],
    [`[null,null,"tokens:live","phx_reply",${LIVE}]`, '+0 tokens:live'],
  ],
  ...['null', '[]', '[{"after_seq":4}]', '"after_seq"', '4', 'true'].map(
    (payload): Row => [8, `a join with payload ${payload}`, [`["1","2","tokens:live","phx_join",${payload}]`], JOINED],
  ),
  [
    9,
    'the reply is the first frame of a channel, before replay and broadcasts',
    [happens, resume('6'), (socket) => socket.push(0, 'token_event', '{"n":7}'), happens],
    [
      `["1","2","tokens:live","phx_reply",${RESUMED}]`,
      '+0 tokens:live after 6',
      '["1",null,"tokens:live","token_event",{"n":7}]',
      HAPPENED,
    ],
  ],
  // We refuse whom we do not know on the connection, never a channel ("unauthorized"): clients try a refused join again
  // for ever. The shape of a refusal is shown by the one we have.
  ...['-1', '1.5', '9007199254740992', '1e999', '"5"', 'null', 'true', '[4]', '{}'].map(refused),
  [
    10,
    'a whole number in any notation is one',
    [resume('4e0'), resume('5.0'), resume('-0')],
    [
      `["1","2","tokens:live","phx_reply",${RESUMED}]`,
      '+0 tokens:live after 4',
      `["1","2","tokens:live","phx_reply",${RESUMED}]`,
      ...CLOSED,
      '+1 tokens:live after 5',
      ...[`["1","2","tokens:live","phx_reply",${LIVE}]`, '-1', CLOSED[1]!, '+2 tokens:live'],
    ],
  ],
  ...['"other"', '"phoenix"', '"tokens:live "', '""', '7', 'null', '["tokens:live"]', '{"a":[1]}'].map(
    (topic): Row => [
      11,
      `join of the unknown topic ${topic}: join_ref null`,
      [`["9","1",${topic},"phx_join",{}]`],
      [`[null,"1",${topic},"phx_reply",${UNMATCHED}]`],
    ],
  ),
  [
    12,
    'a topic joined again: reply, then the close of the old; each broadcast arrives once',
    [JOIN, '["3","4","tokens:live","phx_join",{}]', happens, '["1","5","tokens:live","phx_leave",{}]', happens],
    [...JOINED, `["3","4","tokens:live","phx_reply",${LIVE}]`, ...CLOSED, '+1 tokens:live', HAPPENED, HAPPENED],
  ],
  [12, 'with the same refs', [JOIN, JOIN, happens], [...JOINED, JOINED[0]!, ...CLOSED, '+1 tokens:live', HAPPENED]],
  [
    12,
    'a channel without a join_ref is closed with the ref of its join',
    [NULL_JOIN, JOIN],
    [...NULL_JOINED, JOINED[0]!, '-0', '[null,"2","tokens:live","phx_close",{}]', '+1 tokens:live'],
  ],
  [
    12,
    'a refused rejoin ends the old channel too',
    [JOIN, '["3","4","tokens:live","phx_join",{"after_seq":-1}]', happens],
    [...JOINED, `["3","4","tokens:live","phx_reply",${BAD}]`, ...CLOSED],
  ],
  [
    14,
    'a leave: reply, then close; afterwards nothing arrives',
    [JOIN, '["1","3","tokens:live","phx_leave",{}]', happens],
    [...JOINED, `["1","3","tokens:live","phx_reply",${OK}]`, ...CLOSED],
  ],
  [
    14,
    'a leave with join_ref null is answered with that of the channel; the other topic stays',
    [JOIN, FRAMES_JOIN, '[null,"3","tokens:live","phx_leave",{}]', (s) => s.broadcast('frames:live', 'frame', '{}')],
    [
      ...[...JOINED, ...FRAMES_JOINED, `["1","3","tokens:live","phx_reply",${OK}]`, ...CLOSED],
      '[null,null,"frames:live","frame",{}]',
    ],
  ],
  ...['"tokens:live"', '"other"', '"phoenix"', '7'].map(
    (topic): Row => [
      15,
      `leave of ${topic}, which is not joined: ok with the refs as given, no close`,
      [`["9","1",${topic},"phx_leave",{}]`],
      [`["9","1",${topic},"phx_reply",${OK}]`],
    ],
  ),
  [
    16,
    'a leave with a stale join_ref: silence, and the channel stays',
    [JOIN, '["0","3","tokens:live","phx_leave",{}]', '[1,"3","tokens:live","phx_leave",{}]', happens],
    [...JOINED, HAPPENED],
  ],
  [
    17,
    'an event to a topic that is not joined',
    ['["9","1","tokens:live","shout",{}]', '["9","2","other","shout",{}]'],
    [`[null,"1","tokens:live","phx_reply",${UNMATCHED}]`, `[null,"2","other","phx_reply",${UNMATCHED}]`],
  ],
  [18, 'an event with a stale join_ref: silence', [JOIN, '["0","3","tokens:live","shout",{}]'], JOINED],
  [
    18,
    'an event with join_ref null is accepted',
    [JOIN, '[null,"3","tokens:live","shout",{}]'],
    [...JOINED, `["1","3","tokens:live","phx_reply",${UNKNOWN}]`],
  ],
  ...['"shout"', '"heartbeat"', '"phx_close"', '"phx_reply"', '""', '7', 'null', '["phx_leave"]'].map(
    (event): Row => [
      19,
      `event ${event} on a joined channel is refused, and the channel stays`,
      [JOIN, `["1","3","tokens:live",${event},null]`, happens],
      [...JOINED, `["1","3","tokens:live","phx_reply",${UNKNOWN}]`, HAPPENED],
    ],
  ),
  [20, 'heartbeat', ['[null,"7","phoenix","heartbeat",{}]'], [`[null,"7","phoenix","phx_reply",${OK}]`]],
  [
    20,
    'a heartbeat with a join_ref, with ref null, with other refs, among channels',
    [JOIN, ...['["1",null', '["1",8', '[null,"é\\"\\ud800"'].map((refs) => `${refs},"phoenix","heartbeat",null]`)],
    [...JOINED, ...['null', '8', '"é\\"\\ud800"'].map((ref) => `[null,${ref},"phoenix","phx_reply",${OK}]`)],
  ],
  ...['"shout"', '"phx_close"', '7'].map(
    (event): Row => [
      21,
      `event ${event} on phoenix`,
      [`["1","7","phoenix",${event},{}]`],
      [`[null,"7","phoenix","phx_reply",${UNMATCHED}]`],
    ],
  ),
  malformed('no JSON', 'hello'),
  malformed('an object', '{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"1"}'),
  malformed('four elements', '[null,"7","phoenix","heartbeat"]'),
  malformed('an empty array', '[]'),
  malformed('an empty frame', ''),
  malformed('a ref beyond the bound', `[null,"${'7'.repeat(256)}","phoenix","heartbeat",{}]`),
  malformed('a ref that is no number', '[null,1e999,"phoenix","heartbeat",{}]'),
  malformed('a topic beyond the bound', `[null,"7","${'t'.repeat(1_023)}","phx_join",{}]`),
  [
    22,
    'a malformed frame ends every channel; nothing comes back afterwards',
    [JOIN, FRAMES_JOIN, 'hello', JOIN, happens],
    [...JOINED, ...FRAMES_JOINED, '-0', '-1', 'close 1011'],
  ],
  [
    22,
    'more than five elements: the rest is ignored',
    ['[null,"7","phoenix","heartbeat",{},1,[2]]'],
    [`[null,"7","phoenix","phx_reply",${OK}]`],
  ],
  [
    23,
    'a binary heartbeat is answered in text',
    [binaryPush('1', '7', 'phoenix', 'heartbeat')],
    [`[null,"7","phoenix","phx_reply",${OK}]`],
  ],
  [
    23,
    'a binary event to an unjoined topic',
    [binaryPush('', 'é"', 'tokens:live', 'shout', '\0\x01')],
    [`[null,"é\\"","tokens:live","phx_reply",${UNMATCHED}]`],
  ],
  [
    23,
    'binary join and leave',
    [binaryPush('1', '2', 'tokens:live', 'phx_join'), binaryPush('1', '3', 'tokens:live', 'phx_leave', 'x')],
    [...JOINED, `["1","3","tokens:live","phx_reply",${OK}]`, ...CLOSED],
  ],
  ...[
    ['empty', Buffer.alloc(0)] as const,
    [
      'of another kind',
      Buffer.concat([Buffer.from([2]), binaryPush('1', '2', 'phoenix', 'heartbeat').subarray(1)]),
    ] as const,
    ['shorter than its lengths', binaryPush('1', '2', 'phoenix', 'heartbeat').subarray(0, -1)] as const,
    ['without all lengths', Buffer.from([0, 0, 0, 0])] as const,
    ['JSON text', Buffer.from('[null,"7","phoenix","heartbeat",{}]')] as const,
    ['not UTF-8', Buffer.from([0, 0, 1, 0, 0, 0xff])] as const,
  ].map(([name, frame]): Row => [23, `a binary frame ${name} closes with 1011`, [frame], ['close 1011']]),
  [25, 'nothing received for too long', [JOIN, { kind: 'idle' }], [...JOINED, '-0', 'close 1002']],
  [27, 'dismissed', [JOIN, { kind: 'dismissed' }, { kind: 'gone' }], [...JOINED, '-0', 'close 1001']],
  [27, 'drain', [JOIN, { kind: 'drain' }, happens], [...JOINED, '-0', 'close 1012']],
  [27, 'slow', [JOIN, FRAMES_JOIN, { kind: 'slow' }], [...JOINED, ...FRAMES_JOINED, '-0', '-1', 'close 1013']],
  [27, 'too many messages', [{ kind: 'flood' }], ['close 1008']],
  [27, 'the connection is gone', [JOIN, { kind: 'gone' }, { kind: 'gone' }, happens], [...JOINED, '-0']],
  [
    28,
    'the server closes a channel',
    [JOIN, { kind: 'end', channel: 0, how: 'close' }, happens],
    [...JOINED, ...CLOSED],
  ],
  [
    28,
    'the server fails a channel; the client joins again with a new join_ref',
    [JOIN, { kind: 'end', channel: 0, how: 'error' }, '["3","3","tokens:live","phx_join",{}]', happens],
    [
      ...[...JOINED, '-0', '["1","1","tokens:live","phx_error",{}]'],
      ...[`["3","3","tokens:live","phx_reply",${LIVE}]`, '+1 tokens:live', HAPPENED],
    ],
  ],
  [
    28,
    'a channel that is gone does not end again, nor does its successor',
    [JOIN, JOIN, { kind: 'end', channel: 0, how: 'close' }, { kind: 'end', channel: 7, how: 'error' }, happens],
    [...JOINED, JOINED[0]!, ...CLOSED, '+1 tokens:live', HAPPENED],
  ],
  [
    29,
    'a broadcast has no refs, a push the join_ref of its channel',
    [JOIN, happens, (socket) => socket.push(0, 'token_event', '{"n":1}')],
    [...JOINED, HAPPENED, '["1",null,"tokens:live","token_event",{"n":1}]'],
  ],
  [
    29,
    'a push to a channel joined with null has the ref of the join',
    [NULL_JOIN, (socket) => socket.push(0, 'token_event', '{}')],
    [...NULL_JOINED, '["2",null,"tokens:live","token_event",{}]'],
  ],
]

testRows(2, V2)

test('row 13: a join beyond the channels of a socket is refused, a rejoin and an unknown topic are not counted', () => {
  const outputs = play(
    2,
    [JOIN, FRAMES_JOIN, '["9","1","other","phx_join",{}]', JOIN, '["1","3","tokens:live","phx_leave",{}]', FRAMES_JOIN],
    { ...CONTEXT, channelsMax: 1 },
  )
  assert.deepEqual(outputs, [
    ...JOINED,
    `["5","5","frames:live","phx_reply",${refusal('too many channels joined')}]`,
    `[null,"1","other","phx_reply",${UNMATCHED}]`,
    ...[JOINED[0]!, ...CLOSED, '+1 tokens:live'],
    ...[`["1","3","tokens:live","phx_reply",${OK}]`, '-1', CLOSED[1]!],
    ...[`["5","5","frames:live","phx_reply",${LIVE}]`, '+2 frames:live'],
  ])
})

test('an empty topic has nothing to miss: after 0 is a resume, after 1 is not', () => {
  const context: Context = { position: () => ({ seq: 0, oldestSeq: 1 }), channelsMax: 2 }
  assert.deepEqual(play(2, [resume('0'), resume('1')], context).slice(0, 3), [
    '["1","2","tokens:live","phx_reply",{"status":"ok","response":{"seq":0,"oldest_seq":1,"resumed":true}}]',
    '+0 tokens:live after 0',
    '["1","2","tokens:live","phx_reply",{"status":"ok","response":{"seq":0,"oldest_seq":1,"resumed":false}}]',
  ])
})

test('after -0 is after 0', () => {
  const context: Context = { position: () => ({ seq: 0, oldestSeq: 1 }), channelsMax: 2 }
  const message = decodeText(2, resume('-0'))
  const { outputs } = reduce(NO_CHANNELS, { kind: 'message', message }, context)
  const channel = { id: 0, topic: 'tokens:live', joinRef: '"1"', ref: '"2"' }
  assert.deepEqual(outputs[1], { kind: 'subscribe', channel, after: 0 })
})

test('a step leaves the state it started from as it was', () => {
  const message = { joinRef: '"1"', ref: '"2"', topic: '"tokens:live"', event: 'phx_join', payload: {} }
  const joined = reduce(NO_CHANNELS, { kind: 'message', message }, CONTEXT).channels
  const channel = joined.byTopic.get('tokens:live')
  assert.deepEqual(channel, { id: 0, topic: 'tokens:live', joinRef: '"1"', ref: '"2"' })
  assert.equal(pushRef(channel!), '"1"')
  assert.equal(NO_CHANNELS.byTopic.size, 0)
  for (const input of [{ kind: 'message', message }, { kind: 'end', channel: 0, how: 'close' }, { kind: 'drain' }]) {
    const { channels } = reduce(joined, input as Input, CONTEXT)
    assert.notEqual(channels, joined)
    assert.equal(joined.byTopic.get('tokens:live'), channel, input.kind)
  }
  assert.deepEqual(reduce(joined, { kind: 'drain' }, CONTEXT).channels, { byTopic: new Map(), nextId: 1 })
})
