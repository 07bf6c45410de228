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
]
