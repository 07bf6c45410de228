import { Component, type ReactNode } from 'react'
import { Failure } from '../ui/states.tsx'

interface State {
  readonly error: Error | null
}

/** A page that fails takes nothing else with it. (React has no other form for this than a class.) */
export class Boundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: Error): State {
    return { error }
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children
    const old = /dynamically imported module|Failed to fetch|Importing a module/.test(this.state.error.message)
    const message = old ? 'A newer version of the page is here: load it again.' : 'This page has failed to show itself.'
    return <Failure error={{ message }} retry={() => location.reload()} />
  }
}
