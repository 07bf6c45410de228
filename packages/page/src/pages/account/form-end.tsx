import { Button } from '../../ui/controls.tsx'
import css from './watches.module.css'

interface FormEndProps {
  /** problem of the form as a whole */
  readonly problem: string | null
  readonly busy: boolean
  readonly action: string
  /** absent: the form cannot be closed */
  readonly onLeave?: () => void
}

export const FormEnd = ({ problem, busy, action, onLeave }: FormEndProps) => (
  <>
    {problem !== null && (
      <p className={`${css.wide} ${css.problem}`} role="alert">
        {problem}
      </p>
    )}
    <div className={`${css.wide} ${css.end}`}>
      <Button type="submit" look="strong" disabled={busy}>
        {action}
      </Button>
      {onLeave !== undefined && (
        <Button look="quiet" onClick={onLeave}>
          Cancel
        </Button>
      )}
    </div>
  </>
)
