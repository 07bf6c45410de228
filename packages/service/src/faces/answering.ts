import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorStatus } from '@ti/core/contract/resources.ts'
import type { Logger } from '../base/log.ts'
import type { Handler } from './router.ts'

/** Answers a request and returns the status it sent. */
export type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  args: readonly string[],
  search: string,
) => number | Promise<number>

interface AnsweringOptions {
  readonly newRequestId: () => string
  readonly logger: Logger
  /** counts an answer: status and milliseconds */
  readonly record: (status: number, ms: number) => void
  readonly sendError: (response: ServerResponse, status: ErrorStatus, message: string, requestId: string) => unknown
}

/** Wraps a Serve as a handler: a failure becomes a 500, and every answer is counted with its duration. */
export function createAnswering({ newRequestId, logger, record, sendError }: AnsweringOptions) {
  return (serve: Serve): Handler =>
    async (request, response, args, search) => {
      const start = performance.now()
      const requestId = newRequestId()
      let status: number
      try {
        status = await serve(request, response, requestId, args, search)
      } catch (error) {
        logger.error({ err: error, request_id: requestId }, 'request failed')
        status = 500
        if (response.headersSent) response.destroy()
        else sendError(response, 500, 'internal error', requestId)
      }
      record(status, performance.now() - start)
    }
}
