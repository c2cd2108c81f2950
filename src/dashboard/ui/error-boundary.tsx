import { Component, type ReactNode } from 'react';
import { FailureAlert } from './error-alert.tsx';

interface Props {
  /** Where the person is: elsewhere it is tried anew. */
  at: string;
  children: ReactNode;
}

interface State {
  error?: unknown;
  at: string;
}

/** Tells of a page that could not be loaded or shown. */
export class FailureBoundary extends Component<Props, State> {
  override state: State = { at: this.props.at };

  static getDerivedStateFromError = (error: unknown) => ({ error });

  static getDerivedStateFromProps = ({ at }: Props, state: State): State | null =>
    at === state.at ? null : { at, error: undefined };

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <FailureAlert
        error={error}
        retry={() => {
          location.reload();
        }}
      />
    );
  }
}
