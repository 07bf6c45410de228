import { Component, type ReactNode } from 'react'
import { Failure } from '../ui/states.tsx'

interface State {
  readonly error: Error | null
}

/**
 * A page, or a part of one, that fails takes nothing else with it. What a browser could not load once, because the service
 * was away at that moment or has another version by now, it does not load again. (React has no other form than a class.)
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
