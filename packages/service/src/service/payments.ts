import type { Database } from '../access/sql/database.ts'
import type { WriteProbe } from '../access/sql/write-probe.ts'
import { createCashier, type RunningCashier } from '../access/x402/cashier.ts'
import { createChain } from '../access/x402/chain.ts'
import type { Facilitator } from '../access/x402/facilitator.ts'
import { createHttpFacilitator } from '../access/x402/http-facilitator.ts'
import { PAYMENTS_IN_FLIGHT } from '../access/x402/in-flight.ts'
import { readKeypair } from '../access/x402/keypair.ts'
import { createLedger, type Ledger } from '../access/x402/ledger.ts'
import { STEP_BOUNDS } from '../access/x402/metrics.ts'
import { createSelfFacilitator } from '../access/x402/self.ts'
import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import type { PaymentOptions } from '../config/options.ts'
import { createOutbound } from '../observe/outbound/outbound.ts'
import { type PlayChain, paymentsKind } from './payments-kinds.ts'

interface OpenPayments {
  /** Null with PAYMENTS=off. */
  readonly cashier: RunningCashier | null
  /** The RPC node of the chain on which payments and deposits arrive, or null if none is configured. */
  readonly rpcUrl: string | null
  readonly payTo: string | null
  /** pays for an account with play money; null: not a sandbox */
  readonly play: PlayChain['pay'] | null
  close(): Promise<void>
}

interface Place {
  readonly options: PaymentOptions
  readonly database: Database
  readonly writing: WriteProbe
  readonly logger: Logger
  readonly metrics: Metrics
}

/** Opens payments in the operator's mode: on the sandbox chain, with an external facilitator, or with our own. */
export async function openPayments({ options, database, writing, logger, metrics }: Place): Promise<OpenPayments> {
  const { mode, solanaRpcUrl, payTo } = options
  if (mode === 'off') return { cashier: null, rpcUrl: solanaRpcUrl, payTo, play: null, close: async () => {} }
  const ledger = createLedger({ database, now: Date.now })
  const chosen = await chooseFacilitator(options, ledger, logger)
  const cashier = await createCashier({ ...chosen, ledger, writing, mode, logger, now: Date.now })
  addMetrics(metrics, cashier)
  return {
    cashier,
    rpcUrl: chosen.rpcUrl ?? solanaRpcUrl,
    payTo: chosen.payTo,
    play: chosen.play ?? null,
    async close() {
      await cashier.close()
      await chosen.close()
    },
  }
}

interface Chosen {
  readonly facilitator: Facilitator
  readonly payTo: string
  /** Set for the sandbox chain only. */
  readonly rpcUrl?: string
  readonly play?: PlayChain['pay']
  close(): Promise<void>
}

async function chooseFacilitator(options: PaymentOptions, ledger: Ledger, logger: Logger): Promise<Chosen> {
  const now = Date.now
  const none = async (): Promise<void> => {}
  if (options.mode === 'sandbox') {
    // readOptions refuses a mode that nothing registered
    const sandbox = await paymentsKind('sandbox')!.start({
      logger,
      ...(options.payTo === null ? {} : { seller: options.payTo }),
    })
    const { rpcUrl, seller: payTo, feePayerSecret } = sandbox
    const chain = createChain({ rpcUrl, now })
    const facilitator = await createSelfFacilitator({
      feePayerSecret,
      payTo,
      chain,
      ledger,
      logger,
      now,
      mainnet: false,
    })
    return { facilitator, payTo, rpcUrl, play: sandbox.pay, close: sandbox.close }
  }
  // The options were checked together, so everything that a mode needs is set.
  const payTo = options.payTo!
  const chain = options.solanaRpcUrl === null ? null : createChain({ rpcUrl: options.solanaRpcUrl, now })
  if (options.mode === 'facilitator') {
    if (chain === null) {
      logger.warn(
        'without SOLANA_RPC_URL only the facilitator knows how a settlement ended: some may stay open forever',
      )
    }
    const url = options.facilitatorUrl!
    const outbound = createOutbound({ allow: [url], inAll: PAYMENTS_IN_FLIGHT.all, perHost: PAYMENTS_IN_FLIGHT.all })
    const facilitator = createHttpFacilitator({ url, payTo, outbound, chain })
    return { facilitator, payTo, close: async () => outbound.close() }
  }
  const feePayerSecret = readKeypair(options.feePayerKeypair!)
  const self = { feePayerSecret, payTo, chain: chain!, ledger, logger, now, mainnet: !options.playMoney }
  return { facilitator: await createSelfFacilitator(self), payTo, close: none }
}

function addMetrics(metrics: Metrics, { meters, status }: RunningCashier): void {
  metrics.counts('ti_payment_outcomes_total', 'calls with a payment, by outcome', 'outcome', meters.outcomes)
  metrics.gauge('ti_payments_open', 'payments whose settlement is not known', [], () => status().open)
  const seconds = STEP_BOUNDS.map((ms) => ms / 1000)
  metrics.histogram('ti_payment_step_seconds', 'time of each step of a paid call', seconds, () =>
    meters.steps().map((step) => ({ ...step, sum: step.sum / 1000 })),
  )
}
