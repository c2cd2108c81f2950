import { Component, type ReactNode } from 'react';
import { ServiceError } from '../api/service-error.ts';
import { isMissingChunk, reloadIfReachable } from '../base/missing-chunks.ts';
import { ErrorAlert } from './error-alert.tsx';

interface Props {
  /** A change of the location resets the error. */
  at: string;
  children: ReactNode;
}

interface State {
  error?: unknown;
  at: string;
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { at: this.props.at };

  static getDerivedStateFromError = (error: unknown) => ({ error });

  static getDerivedStateFromProps = ({ at }: Props, state: State): State | null =>
    at === state.at ? null : { at, error: undefined };

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <ErrorAlert
        error={isMissingChunk(error) ? new ServiceError({ code: 'OFFLINE' }) : error}
        retry={() => void reloadIfReachable()}
      />
    );
  }
}
