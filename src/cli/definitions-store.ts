import type { CommandDefinition } from './definition.ts'

const JSON_OPTION = { json: { help: 'the result as JSON' } } as const
const NONE = { least: 0, most: 0 } as const
const ONE = { least: 1, most: 1 } as const

/** Log and state of a data directory. */
export const STORE_DEFINITIONS: readonly CommandDefinition[] = [
  {
    name: 'checkpoint make',
    summary: 'writes log and state of DATA_DIR as of one log entry into FILE, also while the service runs: a back-up',
    usage: 'FILE [--json]',
    operands: ONE,
    options: JSON_OPTION,
    example: 'checkpoint make today.checkpoint',
    isLong: true,
    load: async () => (await import('./checkpoint.ts')).make,
  },
  {
    name: 'checkpoint restore',
    summary: 'restores FILE into an empty DATA_DIR',
    usage: 'FILE [--json]',
    operands: ONE,
    options: JSON_OPTION,
    example: 'checkpoint restore today.checkpoint',
    isLong: true,
    load: async () => (await import('./checkpoint.ts')).restore,
  },
  {
    name: 'checkpoint keep',
    summary: 'adds a checkpoint of DATA_DIR to those in CHECKPOINTS, unless the newest is young',
    usage: '[--json]',
    operands: NONE,
    options: JSON_OPTION,
    notes: `CHECKPOINTS is nats: or a directory; young is younger than CHECKPOINT_HOURS. The newest few are kept. Prints nothing
where there is nothing to do.`,
    example: 'checkpoint keep',
    isLong: true,
    load: async () => (await import('./checkpoint.ts')).keep,
  },
  {
    name: 'checkpoint fetch',
    summary: 'restores the newest of CHECKPOINTS into an empty DATA_DIR',
    usage: '[--json]',
    operands: NONE,
    options: JSON_OPTION,
    example: 'checkpoint fetch',
    isLong: true,
    load: async () => (await import('./checkpoint.ts')).fetchNewest,
  },
  {
    name: 'checkpoint later',
    summary: 'fetches the older segments of the log that DATA_DIR still lacks',
    usage: '[--json]',
    operands: NONE,
    options: JSON_OPTION,
    notes: 'A node that started from a checkpoint does it by itself. Prints nothing where there is nothing to do.',
    example: 'checkpoint later',
    isLong: true,
    load: async () => (await import('./checkpoint.ts')).later,
  },
  {
    name: 'checkpoint refold',
    summary: 'folds the log of another data directory into DATA_DIR with the formulas of this program',
    usage: 'OLD_DIR [--json]',
    operands: ONE,
    options: JSON_OPTION,
    notes: 'OLD_DIR may be in use. The same command continues where an earlier one was interrupted.',
    example: 'checkpoint refold ../old-data',
    isLong: true,
    load: async () => (await import('./checkpoint.ts')).refoldInto,
  },
  {
    name: 'export',
    summary: 'writes trades, launches, wallets and positions as Parquet files',
    usage: '--parquet OUT [--data-dir DIR] [--json]',
    operands: NONE,
    options: {
      parquet: { takes: 'OUT', help: 'directory of the files' },
      'data-dir': { takes: 'DIR', default: 'DATA_DIR or ./data', help: 'what is exported; the service may run' },
      json: { help: 'the manifest as JSON' },
    },
    notes: `All files are as of one log entry. The same command continues where an earlier one was interrupted, and adds to a
finished OUT what is new (docs/export.md).`,
    example: 'export --parquet warehouse',
    isLong: true,
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'verify',
    summary: 'reads all of log and state of DATA_DIR and says what is not as it was written',
    usage: '[--repair] [--json]',
    operands: NONE,
    options: {
      repair: { help: 'with the service stopped: mends what can be mended' },
      ...JSON_OPTION,
    },
    notes: `Changes nothing without --repair, and the service may run. --repair folds a damaged state, or one of other formulas,
again from the log; a damaged log is set aside and begun anew behind a sound state, which can then not be folded again without
a checkpoint. Exit code 4: something is damaged.`,
    example: 'verify',
    isLong: true,
    load: async () => (await import('./verify.ts')).verify,
  },
]
