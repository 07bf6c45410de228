import type { CommandDefinition } from './definition.ts'
import { ACCOUNT_DEFINITIONS } from './definitions-account.ts'
import { CAPTURE_DEFINITIONS } from './definitions-capture.ts'
import { SERVICE_DEFINITIONS } from './definitions-service.ts'
import { STORE_DEFINITIONS } from './definitions-store.ts'

const all: CommandDefinition[] = [
  ...SERVICE_DEFINITIONS,
  ...ACCOUNT_DEFINITIONS,
  ...CAPTURE_DEFINITIONS,
  ...STORE_DEFINITIONS,
]

/** All commands in the order of help. */
export const DEFINITIONS: readonly CommandDefinition[] = all

/** Adds the commands of another package. */
export const addCommands = (commands: readonly CommandDefinition[]): void => void all.push(...commands)

/** Help shared by the commands of each two-word group. */
export const GROUPS: Readonly<Record<string, string>> = {
  keys: 'Keys of the operator. All work while the service runs, and use DATA_DIR, or the database at DATABASE_URL.',
  accounts: 'The embedded database of accounts and payments, in DATA_DIR. `verify` works while the service runs.',
  capture: 'Captures: files that hold chain data as a source delivers it.',
  checkpoint: 'Copies of the log and state in DATA_DIR: back-ups, and what a new node starts from.',
}
