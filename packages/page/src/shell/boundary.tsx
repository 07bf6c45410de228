import { Component, type ReactNode } from 'react'
import { Failure } from '../ui/states.tsx'

interface State {
  readonly error: Error | null
}

/**
 * Contains the failure of a page or a part. A chunk that failed to load, because the service restarted or has a new version,
 * needs a reload of the page. (React requires a class here.)
 */
export class Boundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: Error): State {
    return { error }
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children
    const missing = /dynamically imported module|Failed to fetch|Importing a module/.test(this.state.error.message)
    const message = missing ? 'This part could not be loaded. Reload the page.' : 'This part could not be displayed.'
    return <Failure error={{ message }} retry={() => location.reload()} />
  }
}
