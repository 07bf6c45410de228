import { type ChildProcess, fork } from 'node:child_process'
import type { News, Task } from './roles.ts'

/** Characters of a process's last words that a failure repeats. */
const LAST_WORDS = 4_000

export interface Child {
  readonly task: Task
  send(word: string): void
  kill(): void
  /** how it ended; null: it was ended by `kill`, or went by itself without a fault */
  readonly ended: Promise<string | null>
}

/** Starts one of the soak's processes. */
export function start(task: Task, hear: (news: News) => void): Child {
  const child: ChildProcess = fork(process.argv[1]!, [JSON.stringify(task)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: process.execArgv,
  })
  let killed = false
  let words = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS)
  })
  child.on('message', (news: News) => hear(news))
  const ended = new Promise<string | null>((resolve) => {
    child.on('close', (code, signal) => {
      if (killed || code === 0) resolve(null)
      else resolve(`the ${task.role} ended with ${signal ?? `code ${code}`}: ${words.trim()}`)
    })
  })
  return {
    task,
    send: (word) => void (child.connected && child.send(word)),
    kill() {
      killed = true
      child.kill('SIGKILL')
    },
    ended,
  }
}

/** Runs a process to its end and answers its last news of this kind. */
export async function ask<K extends News['kind']>(task: Task, kind: K): Promise<Extract<News, { kind: K }>> {
  let answer: News | null = null
  const fault = await start(task, (news) => {
    if (news.kind === kind) answer = news
  }).ended
  if (fault !== null) throw new Error(fault)
  if (answer === null) throw new Error(`the ${task.role} said nothing`)
  return answer as Extract<News, { kind: K }>
}
