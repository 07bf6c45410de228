import { ASKING, type CommandDefinition, ONE } from './definition.ts'

/** Commands for the account of a key, at a running service. */
export const ACCOUNT_DEFINITIONS: readonly CommandDefinition[] = [
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
    notes: `ARGUMENTs are those of the path, in order. VALUE is JSON, or else text. docs/agents.md and /docs list the operations: watches, add_watch, remove_watch, alerts and others.`,
    example: 'call add_destination kind=webhook name=mine url=https://example.com/hook',
    load: async () => (await import('./call.ts')).callOperation,
  },
]
