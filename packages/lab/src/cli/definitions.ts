import { type CommandDefinition, JSON_OPTION, NONE, ONE } from '@ti/service/cli/definition.ts'

/** Simulated markets, imported real data, and how good the numbers are on both. */
export const LAB_COMMANDS: readonly CommandDefinition[] = [
  {
    name: 'capture import',
    summary: 'imports real chain data into a capture',
    usage: 'FILE… OUT [--sol-usd N] [--json]',
    operands: { least: 2, most: 10_000 },
    options: {
      'sol-usd': { takes: 'N', default: '0: no market caps', help: 'price of SOL in USD' },
      ...JSON_OPTION,
    },
    notes: `Takes raw transactions, blocks, log notifications, trade CSV, swap JSONL and captures in any mix. Duplicates are
written once; skipped items are listed with the reason.`,
    example: 'capture import trades.csv transactions.json out.capture --sol-usd 150',
    isLong: true,
    load: async () => (await import('./import.ts')).importInto,
  },
  {
    name: 'capture simulate',
    summary: 'writes a simulated market as a capture',
    usage:
      'OUT --trades N | --slots N [--seed N] [--tps N] [--market 2|3] [--traced SHARE] [--adversary SHARE] [--kinds N] [--surge N] [--no-truth] [--json]',
    operands: ONE,
    options: {
      trades: { takes: 'N', help: 'ends after about this many trades' },
      slots: { takes: 'N', help: 'ends after this many slots' },
      seed: { takes: 'N', default: '1', help: 'random seed of the market' },
      tps: { takes: 'N', default: '60', help: 'trades a second' },
      market: { takes: '2|3', default: '3', help: '3 is held to real markets, and has more kinds of launches' },
      traced: { takes: 'SHARE', help: 'of wallets whose funder becomes known: 0.24' },
      adversary: {
        takes: 'SHARE',
        help: 'of launches made by someone who knows the formulas: 0.02, or 0.1 in market 2',
      },
      kinds: { takes: 'N', default: '1', help: 'so many times the farms, panics and griefers of market 3' },
      surge: { takes: 'N', help: 'after this many slots launches draw more trades, and three times as many graduate' },
      'no-truth': { help: 'leaves out OUT.truth.jsonl: who was really behind each token, for evaluate' },
      ...JSON_OPTION,
    },
    example: 'capture simulate demo.capture --trades 20000',
    isLong: true,
    load: async () => (await import('./simulate.ts')).simulate,
  },
  {
    name: 'life',
    summary: 'leads a token through a random life on the real programs, and writes what the accounts say',
    usage: 'DIR [--driver NAME] [--programs FOLDER] [--sdk FOLDER] [--seed N] [--steps N] [--json]',
    operands: ONE,
    options: {
      driver: {
        takes: 'NAME',
        default: 'token',
        help: 'token: on the token programs alone; dbc: on Meteora’s bonding curve',
      },
      programs: { takes: 'FOLDER', help: 'programs that the runtime does not bring, each as ADDRESS.so' },
      sdk: { takes: 'FOLDER', default: '.', help: 'where the SDK of the launchpad is installed' },
      seed: { takes: 'N', default: '1', help: 'random seed of the life' },
      steps: { takes: 'N', default: '100', help: 'about as many transactions' },
      ...JSON_OPTION,
    },
    notes: `DIR gets one file for each transaction, as a node answers getTransaction, and expect.jsonx: the balances after each of them.
\`capture import DIR/*.json OUT\` makes a capture of it.`,
    example: 'life life-1 --seed 1',
    isLong: true,
    load: async () => (await import('./life.ts')).life,
  },
  {
    name: 'evaluate',
    summary: 'measures how good the numbers are, over captures, simulated markets or labelled tokens',
    usage: 'FILE… | --seeds N,N… [--market 2|3] [--slots N] [options] | --real | --tricks',
    operands: { least: 0, most: 100 },
    options: {
      seeds: { takes: 'N,N…', help: 'simulated markets with these seeds, one after the other' },
      market: { takes: '2|3', default: '3', help: 'with --seeds: which of the markets' },
      slots: { takes: 'N', default: '13500', help: 'with --seeds: how long each is; 9,000 are an hour' },
      trades: { takes: 'N', help: 'with --seeds: about this many in each, instead of --slots' },
      tps: { takes: 'N', default: '25', help: 'with --seeds: trades a second' },
      traced: { takes: 'SHARE', help: 'with --seeds: of wallets whose funder becomes known' },
      adversary: { takes: 'SHARE', help: 'with --seeds: of launches made by someone who knows the formulas' },
      kinds: { takes: 'N', help: 'with --seeds: so many times the farms, panics and griefers of market 3' },
      without: {
        takes: 'F,F…',
        help: 'folds again without each of these families of evidence; each: without every one',
      },
      tricks: {
        help: 'also what it costs to look good and to make a rival look bad, on a market of the first seed; alone: only that',
      },
      real: { help: 'real tokens with labels, of the material beside the project' },
      strict: { help: 'exits with 1 if a bar is missed' },
      seed: { takes: 'N', default: '1', help: 'seed of the resampling' },
    },
    notes: `Folds each log, looks at every launch as it was served after 60 s, 5 and 15 minutes, and follows it and a buyer for an hour. A
truth file beside a capture is used if there is one. The report goes to stdout.`,
    example: 'evaluate --seeds 9001,9002,9003',
    isLong: true,
    load: async () => (await import('./evaluate.ts')).evaluate,
  },
  {
    name: 'bench',
    summary: 'measures this machine: makes a simulated capture and replays it',
    usage: '[--trades N] [--seed N] [--json]',
    operands: NONE,
    options: {
      trades: { takes: 'N', default: '100000', help: 'trades in the capture' },
      seed: { takes: 'N', default: '1', help: 'of the simulated market' },
      ...JSON_OPTION,
    },
    example: 'bench',
    isLong: true,
    load: async () => (await import('./bench.ts')).bench,
  },
]
