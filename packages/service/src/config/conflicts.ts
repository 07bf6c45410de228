import type { PaymentMode, Values } from './options.ts'

/** The largest number of a TCP port. */
export const PORT_MAX = 65_535

/** Values that several variables decide. */
interface Derived {
  readonly mode: PaymentMode
  /** the variable by which others than this machine reach the service; null: none says so */
  readonly openBy: string | null
  readonly isLive: boolean
}

/** A conflict between variables that are each valid by itself. */
interface Conflict {
  readonly of: readonly string[]
  readonly found: boolean
  readonly says: string
}

/** Messages about conflicts; those about an invalid variable would mislead and are left out. */
export function conflicts(values: Values, derived: Derived, invalid: ReadonlyMap<string, string>): string[] {
  return [...ofPayments(values, derived), ...ofOthers(values)]
    .filter(({ of, found }) => found && !of.some((name) => invalid.has(name)))
    .map(({ says }) => says)
}

const NEEDS = {
  facilitator: { facilitatorUrl: 'FACILITATOR_URL', payTo: 'PAY_TO' },
  self: { feePayerKeypair: 'FEE_PAYER_KEYPAIR', solanaRpcUrl: 'SOLANA_RPC_URL', payTo: 'PAY_TO' },
} as const

function ofPayments({ source, payments }: Values, { mode, openBy, isLive }: Derived): Conflict[] {
  const needs = mode === 'facilitator' || mode === 'self' ? Object.entries(NEEDS[mode]) : []
  const isPlay = mode === 'sandbox'
  return [
    ...needs.map(([option, name]) => ({
      of: ['PAYMENTS', name],
      found: payments[option as keyof typeof payments] === null,
      says: `PAYMENTS=${mode} needs ${name}`,
    })),
    {
      of: ['PAYMENTS', 'SOURCE'],
      found: isPlay && isLive,
      says: `PAYMENTS=sandbox sells for play money, and SOURCE=${source.slice(0, source.indexOf(':'))}:… brings the real chain: set PAYMENTS to off, facilitator or self, or SOURCE to simulator: or a capture`,
    },
    {
      of: ['PAYMENTS', 'HOST', 'PUBLIC_URL', 'ALLOW_PLAY_MONEY'],
      found: isPlay && openBy !== null && !payments.playMoney,
      says: `PAYMENTS=sandbox gives data away for play money, and ${openBy} opens it to others than this machine: set PAYMENTS to off, facilitator or self, or ALLOW_PLAY_MONEY=1`,
    },
  ]
}

function ofOthers(values: Values): Conflict[] {
  const { observe, followExchanges, checkpoints, logUrls } = values
  return [
    {
      of: ['PORT', 'OPERATOR_PORT'],
      found: values.port === PORT_MAX && values.operatorPort === null,
      says: `PORT=${PORT_MAX} needs OPERATOR_PORT: there is no port after it`,
    },
    {
      of: ['FOLLOW_EXCHANGES', 'EXCHANGES'],
      found: followExchanges && observe.exchanges === null,
      says: 'FOLLOW_EXCHANGES=1 needs EXCHANGES: whose payments are followed',
    },
    {
      of: ['FOLLOW_EXCHANGES', 'OBSERVE'],
      found: followExchanges && observe.mode === 'off',
      says: 'FOLLOW_EXCHANGES=1 and OBSERVE=off do not go together: nobody reads EXCHANGES',
    },
    {
      of: ['CHECKPOINTS', 'LOG_URL'],
      found: checkpoints === 'nats:' && logUrls === null,
      says: 'CHECKPOINTS=nats: needs LOG_URL: they are kept on the same servers',
    },
    {
      of: ['CHECKPOINT_HOURS', 'CHECKPOINTS'],
      found: values.checkpointHours > 0 && checkpoints === null,
      says: 'CHECKPOINT_HOURS needs CHECKPOINTS: where they are kept',
    },
    {
      of: ['RATE_LIMITS', 'DATABASE_URL'],
      found: values.rateLimits === 'shared' && values.databaseUrl === null,
      says: 'RATE_LIMITS=shared needs DATABASE_URL: the nodes count in one PostgreSQL',
    },
  ]
}
