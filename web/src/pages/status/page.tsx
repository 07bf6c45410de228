import { useEffect } from 'react'

export default function Page(_: { id: string }) {
  useEffect(() => {
    document.title = 'Status · Token Intelligence'
  }, [])
  return <h1>Status</h1>
}
