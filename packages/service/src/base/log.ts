import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'

export type { Logger } from 'pino'

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Keeps only the origin of an error. Drivers attach the statement, its parameters and the row: secrets and client data.
 */
function withoutData(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack, code } = stdSerializers.err(error) as ReturnType<typeof stdSerializers.err> & {
    readonly code?: unknown
  }
  return { type, message, stack, ...((typeof code === 'string' || typeof code === 'number') && { code }) }
}

/** Writes JSON lines to stderr (stdout is for a command's output), with RFC 3339 times. */
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
