import { readKeypair } from '../access/x402/keypair.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { environment } from '../config/environment.ts'
import { examineOptions, type Options } from '../config/options.ts'
import { readOtherOptions } from '../config/other-options.ts'
import { productionProblems } from '../config/production.ts'
import { readAgents } from './agents-file.ts'
import { readToken } from './delivery.ts'
import { type Role, roleOf } from './node-role.ts'

/**
 * The options of `serve` and its role. Before any work, everything that variables and the files they name can say wrong is in
 * one OperatorError. `isProduction`: the configuration is for strangers and real money.
 */
export function checkedOptions(
  roleName: string | undefined,
  isProduction: boolean,
): { readonly options: Options; readonly role: Role } {
  const { options, problems } = examineOptions(environment())
  const all = [...problems]
  const attempt = <T>(read: () => T): T | null => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      all.push(error.message)
      return null
    }
  }
  const role = attempt(() => roleOf(roleName, options))
  const { telegram, payments, agentsFile } = options
  if (telegram !== null) attempt(() => readToken(telegram.token))
  if (payments.mode === 'self' && payments.feePayerKeypair !== null)
    attempt(() => readKeypair(payments.feePayerKeypair!))
  if (agentsFile !== null) attempt(() => readAgents(agentsFile))
  if (isProduction) {
    all.push(...productionProblems(options, role === 'ingest'))
    if (role !== 'serve' && options.source.startsWith('yellowstone:') && !readOtherOptions(environment()).rpcUrl)
      all.push('SOURCE=yellowstone: needs SOURCE_RPC_URL: only a node can name the chain of what comes')
  }
  if (role === null || all.length > 0) throw new OperatorError(all.join('\n'), { exitCode: EXIT.usage })
  return { options, role }
}
