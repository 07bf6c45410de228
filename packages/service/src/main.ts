#!/usr/bin/env node
import { EXIT } from './base/errors.ts'
import { PRIVATE_UMASK } from './base/private-files.ts'
import { systemError } from './base/system-error.ts'
import { readCommandLine } from './cli/command-line.ts'
import { escaped } from './cli/terminal-text.ts'

async function main(): Promise<void> {
  const args = process.argv.slice(2)
  const asked = readCommandLine(args)
  if (asked.kind === 'help') process.stdout.write(asked.text)
  else if (asked.kind === 'version') process.stdout.write(`${await version()}\n`)
  else {
    // help and wrong usage are quick: they load nothing else. Stacks name the sources of what is loaded from here on
    process.setSourceMapsEnabled(true)
    const { run } = await import('./cli/run.ts')
    process.exitCode = await run(asked.command, asked.args)
  }
}

async function version(): Promise<string> {
  const { readFileSync } = await import('node:fs')
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}

// what this process and its children make is for this user alone: databases, logs, sockets, copies, exports
process.umask(PRIVATE_UMASK)
// native packages take a report to learn their platform when they load. It resolves the name of each open peer on this thread,
// which stood still for minutes with 2,000 sockets. Node's types do not know the field yet
Object.assign(process.report, { excludeNetwork: true })

main().catch((error: unknown) => {
  const known = systemError(error)
  if (known !== null) {
    process.stderr.write(`${escaped(known.message)}\n`)
    process.exit(known.exitCode)
  }
  console.error(error)
  process.exit(EXIT.failed)
})
