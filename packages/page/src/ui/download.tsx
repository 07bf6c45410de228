import { Button } from './controls.tsx'
import { type CsvValue, csvOf } from './csv.ts'

interface DownloadProps {
  /** without its ending */
  readonly name: string
  /** made when it is asked for */
  readonly rows: () => readonly Readonly<Record<string, CsvValue>>[]
}

/** Saves what a table shows as a CSV file, made here from what the page has. */
export function Download({ name, rows }: DownloadProps) {
  const save = (): void => {
    const url = URL.createObjectURL(new Blob([csvOf(rows())], { type: 'text/csv' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${name}.csv`
    link.click()
    // after the browser has taken it
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
  return (
    <Button look="quiet" onClick={save}>
      Download CSV
    </Button>
  )
}
