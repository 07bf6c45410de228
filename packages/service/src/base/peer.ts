import type { MessagePort, Worker } from 'node:worker_threads'
import { OperatorError } from './errors.ts'

/** Functions that another thread may call by name. Arguments and results are cloned on their way. */
// biome-ignore lint/suspicious/noExplicitAny: the types of both threads agree on the functions, not on their arguments here
export type Calls = Readonly<Record<string, (...args: any[]) => unknown>>

type Message =
  | { readonly kind: 'call'; readonly no: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'tell'; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'result'; readonly no: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly no: number; readonly error: Failure }

/** An error on its way: a clone would lose its class, and what the system says in its fields. */
export interface Failure {
  readonly message: string
  readonly stack: string | undefined
  readonly fields: Readonly<Record<string, unknown>>
  /** Of an OperatorError, else null. */
  readonly exitCode: number | null
  readonly cause: Failure | null
}

/** The other thread. Messages arrive in the order in which they were sent, results among them. */
export interface Peer<Theirs extends Calls> {
  /** Rejects with the other thread's error, or with that of `close`. */
  call<Name extends keyof Theirs & string>(
    name: Name,
    ...args: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>
  /** Calls without waiting for a result. The other thread has to handle failures itself. */
  tell<Name extends keyof Theirs & string>(name: Name, ...args: Parameters<Theirs[Name]>): void
  /** Rejects open and later calls. */
  close(why: Error): void
}

export function createPeer<Theirs extends Calls>(port: MessagePort | Worker, own: Calls): Peer<Theirs> {
  const open = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  let last = 0
  let closed: Error | null = null
  const post = (message: Message): void => port.postMessage(message)
  const fail = (no: number, error: unknown): void => post({ kind: 'failure', no, error: failureOf(error) })

  function run({ no, name, args }: Extract<Message, { kind: 'call' }>): void {
    try {
      const value = own[name]!(...args)
      if (!(value instanceof Promise)) return post({ kind: 'result', no, value })
      value.then(
        (late) => post({ kind: 'result', no, value: late }),
        (error: unknown) => fail(no, error),
      )
    } catch (error) {
      fail(no, error)
    }
  }

  function take(no: number) {
    const waiting = open.get(no)
    open.delete(no)
    return waiting
  }

  port.on('message', (message: Message) => {
    if (message.kind === 'result') take(message.no)?.resolve(message.value as never)
    else if (message.kind === 'failure') take(message.no)?.reject(errorOf(message.error))
    else if (message.kind === 'call') run(message)
    else own[message.name]?.(...message.args)
  })

  return {
    call: (name, ...args) =>
      new Promise((resolve, reject) => {
        if (closed !== null) return reject(closed)
        open.set(++last, { resolve, reject })
        post({ kind: 'call', no: last, name, args })
      }),
    tell(name, ...args) {
      if (closed === null) post({ kind: 'tell', name, args })
    },
    close(why) {
      closed ??= why
      for (const { reject } of open.values()) reject(closed)
      open.clear()
    },
  }
}

/** Fields of the errors of Node and SQLite. */
const FIELDS = ['code', 'errcode', 'syscall', 'path'] as const
/** causes to follow at most */
const DEPTH = 8

export function failureOf(error: unknown, depth = DEPTH): Failure {
  if (!(error instanceof Error)) return failureOf(new Error(String(error)))
  const { message, stack, cause } = error
  const fields = error as Error & Partial<Record<(typeof FIELDS)[number], unknown>>
  return {
    message,
    stack,
    fields: Object.fromEntries(FIELDS.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]])),
    exitCode: error instanceof OperatorError ? error.exitCode : null,
    cause: cause === undefined || depth === 0 ? null : failureOf(cause, depth - 1),
  }
}

export function errorOf({ message, stack, fields, exitCode, cause }: Failure): Error {
  const options = cause === null ? {} : { cause: errorOf(cause) }
  const error = exitCode === null ? new Error(message, options) : new OperatorError(message, { ...options, exitCode })
  if (stack !== undefined) error.stack = stack
  return Object.assign(error, fields)
}
