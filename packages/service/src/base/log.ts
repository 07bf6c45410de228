import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'

export type { Logger } from 'pino'

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Of an error only its origin. Drivers add the statement, its parameters and the row, which are secrets and data of clients.
 */
function withoutData(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack, code } = stdSerializers.err(error) as ReturnType<typeof stdSerializers.err> & {
    readonly code?: unknown
  }
  return { type, message, stack, ...((typeof code === 'string' || typeof code === 'number') && { code }) }
}

/** JSON lines on stderr (stdout belongs to what a command prints), times in RFC 3339. */
export function createLogger(level: LogLevel, destination: DestinationStream = pino.destination(2)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: withoutData },
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: ['authorization', '*.authorization', '*.headers.authorization'], censor: '[hidden]' },
    },
    destination,
  )
}
