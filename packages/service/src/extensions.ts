import { loadInThreads } from './base/thread.ts'
import type { CommandDefinition } from './cli/definition.ts'
import { addCommands } from './cli/definitions.ts'
import { REGISTERED } from './config/kinds.ts'
import { addPaymentsKind, type PaymentsKind } from './service/payments-kinds.ts'
import { addSourceKind, type SourceKind } from './source/kinds.ts'

/** What a package beside the service adds to it. The service itself knows none of them. */
interface Extension {
  /** `import.meta.url` of the module that registers, which threads load too */
  readonly module: string
  readonly sources?: readonly SourceKind[]
  readonly payments?: readonly PaymentsKind[]
  readonly commands?: readonly CommandDefinition[]
}

/** Adds kinds and commands; called while the module is loaded, before options are read. */
export function register({ module, sources = [], payments = [], commands = [] }: Extension): void {
  loadInThreads(module)
  for (const kind of sources) addSourceKind(kind)
  for (const kind of payments) addPaymentsKind(kind)
  REGISTERED.sources.push(...sources)
  REGISTERED.payments.push(...payments.map(({ mode }) => mode))
  addCommands(commands)
}
