import { copy } from './copier.ts'
import { commandOf, readSoakOptions } from './options.ts'
import { readAlong } from './reader.ts'
import { summarise, writeReport } from './report.ts'
import type { News, Task } from './roles.ts'
import { soak } from './soak.ts'
import { foldTwin } from './twin.ts'
import { write } from './writer.ts'

/** The soak and its processes: one program, started with a task where it is one of them. */
async function perform(task: Task): Promise<void> {
  const tell = (news: News): void => void process.send!(news)
  // the soak is gone: nobody is told anything any more
  const abandoned = (): void => process.exit(1)
  process.on('disconnect', abandoned)
  if (task.role === 'writer') await write(task, tell)
  else if (task.role === 'reader') await readAlong(task, tell)
  else if (task.role === 'copier') await copy(task, tell)
  else await foldTwin(task, tell)
  process.off('disconnect', abandoned)
  process.disconnect()
}

const [given] = process.argv.slice(2)
if (given?.startsWith('{')) {
  await perform(JSON.parse(given) as Task).catch((error: Error) => {
    process.stderr.write(`${error.stack}\n`)
    process.exit(1)
  })
} else {
  const options = readSoakOptions(process.argv.slice(2))
  process.stderr.write(`seed ${options.seed}: ${commandOf(options)}\n`)
  const result = await soak(options)
  const summary = summarise(options, result)
  process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`)
  if (options.report !== null) writeReport(options.report, summary)
  process.exit(result.failures.length === 0 ? 0 : 1)
}
