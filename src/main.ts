#!/usr/bin/env node
import { EXIT, OperatorError } from './base/errors.ts'
import { bench } from './cli/bench.ts'
import { capture } from './cli/capture.ts'
import type { Command } from './cli/command.ts'
import { evaluate } from './cli/evaluate.ts'
import { explainCommand } from './cli/explain.ts'
import { keys } from './cli/keys.ts'
import { openapi } from './cli/openapi.ts'
import { replay } from './cli/replay.ts'
import { serve } from './cli/serve.ts'

const COMMANDS: Readonly<Record<string, Command>> = {
  serve,
  keys,
  capture,
  replay,
  explain: explainCommand,
  evaluate,
  bench,
  openapi,
}

const help = (): string =>
  `Token Intelligence\n\n${Object.values(COMMANDS)
    .map((command) => command.usage)
    .join('\n\n')}\n`

async function main(): Promise<void> {
  const [name, ...args] = process.argv.slice(2)
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(help())
    return
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    throw new OperatorError(`there is no command ${JSON.stringify(name)}\n\n${help()}`, { exitCode: EXIT.usage })
  }
  await command.run(args)
}

main().catch((error: unknown) => {
  if (error instanceof OperatorError) {
    process.stderr.write(`${error.message}\n`)
    process.exit(error.exitCode)
  }
  console.error(error)
  process.exit(EXIT.failed)
})
