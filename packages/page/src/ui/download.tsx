import { Button } from './controls.tsx'
import { type CsvValue, csvOf } from './csv.ts'

interface DownloadProps {
  /** without extension */
  readonly name: string
  /** called on click */
  readonly rows: () => readonly Readonly<Record<string, CsvValue>>[]
}

/** Saves rows as a CSV file. */
export function Download({ name, rows }: DownloadProps) {
  const save = (): void => {
    const url = URL.createObjectURL(new Blob([csvOf(rows())], { type: 'text/csv' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${name}.csv`
    link.click()
    // the browser needs the URL until it has read the file
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
  return (
    <Button look="quiet" onClick={save}>
      Download CSV
    </Button>
  )
}
