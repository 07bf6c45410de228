import {
  BAD,
  binaryPush,
  LIVE,
  malformed,
  OK,
  type PaperSocket,
  RESUMED,
  type Row,
  testRows,
  UNKNOWN,
  UNMATCHED,
} from '../../../../../test/support/channels-socket.ts'

/** The rows of `channels.test.ts` for sockets without `vsn` (row 2): frames are objects and most clients send no join_ref. */
const happens = (socket: PaperSocket): string[] => socket.broadcast('tokens:live', 'token_event', '{"n":8}')
const v1 = (topic: string, event: string, payload: string, ref: string) =>
  `{"topic":${topic},"event":"${event}","payload":${payload},"ref":${ref}}`
const V1_JOIN = v1('"tokens:live"', 'phx_join', '{}', '"1"')
const V1_JOINED = [v1('"tokens:live"', 'phx_reply', LIVE, '"1"'), '+0 tokens:live']
const V1_HEARTBEAT = v1('"phoenix"', 'heartbeat', '{}', '"7"')
const V1_ALIVE = v1('"phoenix"', 'phx_reply', OK, '"7"')

const V1: readonly Row[] = [
  [5, 'a join', [V1_JOIN], V1_JOINED],
  [
    5,
    'a join that can be resumed',
    [v1('"tokens:live"', 'phx_join', '{"after_seq":4}', '1')],
    [v1('"tokens:live"', 'phx_reply', RESUMED, '1'), '+0 tokens:live after 4'],
  ],
  [
    7,
    'a join_ref is understood where a client sends one',
    [
      '{"join_ref":"1","topic":"tokens:live","event":"phx_join","payload":{},"ref":"2"}',
      '{"join_ref":"0","topic":"tokens:live","event":"phx_leave","payload":{},"ref":"3"}',
      { kind: 'end', channel: 0, how: 'close' },
    ],
    [
      v1('"tokens:live"', 'phx_reply', LIVE, '"2"'),
      ...['+0 tokens:live', '-0', v1('"tokens:live"', 'phx_close', '{}', '"1"')],
    ],
  ],
  [8, 'a join with payload null', [v1('"tokens:live"', 'phx_join', 'null', '"1"')], V1_JOINED],
  [
    10,
    'a refused join',
    [v1('"tokens:live"', 'phx_join', '{"after_seq":"4"}', '"1"')],
    [v1('"tokens:live"', 'phx_reply', BAD, '"1"')],
  ],
  [11, 'unknown topic', [v1('7', 'phx_join', '{}', '"1"')], [v1('7', 'phx_reply', UNMATCHED, '"1"')]],
  [
    12,
    'a topic joined again',
    [V1_JOIN, V1_JOIN, happens],
    [
      ...[...V1_JOINED, V1_JOINED[0]!, '-0', v1('"tokens:live"', 'phx_close', '{}', '"1"'), '+1 tokens:live'],
      v1('"tokens:live"', 'token_event', '{"n":8}', 'null'),
    ],
  ],
  [
    14,
    'a leave',
    [V1_JOIN, v1('"tokens:live"', 'phx_leave', '{}', '"2"'), happens],
    [
      ...[...V1_JOINED, v1('"tokens:live"', 'phx_reply', OK, '"2"')],
      ...['-0', v1('"tokens:live"', 'phx_close', '{}', '"1"')],
    ],
  ],
  [15, 'leave, not joined', [v1('"x"', 'phx_leave', '{}', '"2"')], [v1('"x"', 'phx_reply', OK, '"2"')]],
  [17, 'event, not joined', [v1('"x"', 'shout', '{}', 'null')], [v1('"x"', 'phx_reply', UNMATCHED, 'null')]],
  [
    19,
    'unknown event',
    [V1_JOIN, v1('"tokens:live"', 'shout', '{}', '2')],
    [...V1_JOINED, v1('"tokens:live"', 'phx_reply', UNKNOWN, '2')],
  ],
  [20, 'heartbeat', [V1_HEARTBEAT], [V1_ALIVE]],
  [21, 'on phoenix', [v1('"phoenix"', 'shout', '{}', '"7"')], [v1('"phoenix"', 'phx_reply', UNMATCHED, '"7"')]],
  malformed('no JSON', 'hello'),
  malformed('an array frame', '[null,"7","phoenix","heartbeat",{}]'),
  malformed('null', 'null'),
  malformed('a string', '"topic event payload ref"'),
  ...['topic', 'event', 'payload', 'ref'].map((key) =>
    malformed(`no ${key}`, V1_HEARTBEAT.replace(`"${key}"`, '"toString"')),
  ),
  [23, 'binary is JSON text', [Buffer.from(V1_HEARTBEAT)], [V1_ALIVE]],
  [23, 'a binary push closes with 1011', [binaryPush('1', '7', 'phoenix', 'heartbeat')], ['close 1011']],
  [23, 'not UTF-8', [Buffer.from(V1_HEARTBEAT.replace('"7"', '"\xff"'), 'latin1')], ['close 1011']],
  [27, 'drain', [V1_JOIN, { kind: 'drain' }], [...V1_JOINED, '-0', 'close 1012']],
  [
    28,
    'the server fails a channel',
    [V1_JOIN, { kind: 'end', channel: 0, how: 'error' }],
    [...V1_JOINED, '-0', v1('"tokens:live"', 'phx_error', '{}', '"1"')],
  ],
  [
    29,
    'a push is a broadcast to the eye',
    [V1_JOIN, (socket) => socket.push(0, 'token_event', '{"n":8}'), happens],
    [...V1_JOINED, ...[1, 2].map(() => v1('"tokens:live"', 'token_event', '{"n":8}', 'null'))],
  ],
]

testRows(1, V1)
