import { ASKING, type CommandDefinition, JSON_OPTION, NONE, ONE } from './definition.ts'

/** Commands for an account's watches, at a running service. */
export const WATCH_DEFINITIONS: readonly CommandDefinition[] = [
  {
    name: 'watches list',
    summary: 'the watches of the account',
    usage: '[--url URL] [--json]',
    operands: NONE,
    options: { ...ASKING, ...JSON_OPTION },
    example: 'watches list',
    load: async () => (await import('./watches.ts')).listWatches,
  },
  {
    name: 'watches add',
    summary: 'watches a token, wallet, deployer, actor, or new tokens by a condition',
    usage: 'KIND TARGET [--name NAME] [--min-sol N] [--url URL] [--json]',
    operands: { least: 2, most: 2 },
    options: {
      name: { takes: 'NAME', default: 'kind and target', help: 'name shown in alerts' },
      'min-sol': { takes: 'N', default: '0', help: 'leaves out smaller trades' },
      ...ASKING,
      ...JSON_OPTION,
    },
    notes:
      'KIND is token, wallet, deployer, actor or condition; TARGET an address, an actor, or a filter: docs/alerts.md.',
    example: 'watches add condition "score >= 7 and not rugged"',
    load: async () => (await import('./watches.ts')).addWatch,
  },
  {
    name: 'watches remove',
    summary: 'ends a watch',
    usage: 'ID [--url URL]',
    operands: ONE,
    options: ASKING,
    example: 'watches remove watch_x3Jw0aGm1PqB',
    load: async () => (await import('./watches.ts')).removeWatch,
  },
  {
    name: 'alerts',
    summary: 'lists the alerts of the account, newest first',
    usage: '[--after-seq N] [--url URL] [--json]',
    operands: NONE,
    options: {
      'after-seq': { takes: 'N', help: 'alerts after N, oldest first' },
      ...ASKING,
      ...JSON_OPTION,
    },
    example: 'alerts --after-seq 41',
    load: async () => (await import('./watches.ts')).showAlerts,
  },
  {
    name: 'forward',
    summary: 'posts the alerts of the account to a receiver on this machine, signed as a webhook is',
    usage: 'PORT|URL [--secret whsec_…] [--test] [--after-seq N] [--count N] [--url URL]',
    operands: ONE,
    options: {
      secret: { takes: 'SECRET', default: 'a new one, shown', help: 'the secret that the receiver knows' },
      test: { help: 'begins with a test message' },
      'after-seq': { takes: 'N', default: 'new alerts', help: 'begins with the alerts after N' },
      count: { takes: 'N', default: 'no end', help: 'ends after this many alerts' },
      ...ASKING,
    },
    notes: `For a receiver that is being written: it needs no address on the internet, and the account no destination. The receiver is sent
a challenge first, and has to repeat it. Each alert is tried once. Ctrl-C ends it.`,
    example: 'forward 8080 --test',
    signals: 'finishes',
    load: async () => (await import('./forward.ts')).forward,
  },
  {
    name: 'call',
    summary: 'calls an operation of the service by its name in the OpenAPI document, and prints the answer',
    usage: 'OPERATION [ARGUMENT …] [NAME=VALUE …] [--url URL]',
    operands: { least: 1, most: 32 },
    options: ASKING,
    notes: `ARGUMENTs are those of the path, in order. VALUE is JSON, or else text. docs/agents.md and /docs list the operations.`,
    example: 'call add_destination kind=webhook name=mine url=https://example.com/hook',
    load: async () => (await import('./call.ts')).callOperation,
  },
]
