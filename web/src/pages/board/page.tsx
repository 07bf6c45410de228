import { useEffect } from 'react'

export default function Page(_: { id: string }) {
  useEffect(() => {
    document.title = 'Board · Token Intelligence'
  }, [])
  return <h1>Board</h1>
}
