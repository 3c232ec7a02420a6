import { useEffect, useRef, useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { Problem } from '../api/problem.ts';
import { isOffline } from '../api/service.ts';
import type { Domain } from './diagnosis.ts';

const VERIFY = graphql(`
  mutation VerifyDomain($id: ID!) {
    verifyDomain(id: $id) {
      ...DomainState
    }
  }
`);

/** Between two checks; DNS hardly changes faster. */
const PAUSE_S = 10;
/** Ten minutes: whoever leaves the page open for longer is not waiting any more. */
const MOST_CHECKS = 60;

interface Checks {
  check(): void;
  isBusy: boolean;
  problem?: Problem;
  /** Seconds until the next check is allowed. */
  left: number;
  /** Whether checks are made without being asked for. */
  isWatching: boolean;
}

/**
 * Checks of a domain: when asked, and then again and again while the page is seen and the domain is not active. None is
 * made before the first that is asked for, as resolvers remember for long that a record was not there.
 */
export function useChecks(domain: Domain, onChecked: (domain: Domain) => void): Checks {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [left, setLeft] = useState(0);
  const nextAt = useRef(0);
  const checks = useRef(0);
  const isWatching = domain.checkedAt !== null && domain.status !== 'ACTIVE' && checks.current < MOST_CHECKS;

  async function check() {
    if (isBusy) return;
    setBusy(true);
    const { data, problem: failed } = await mutate(VERIFY, { id: domain.id });
    setBusy(false);
    setProblem(failed);
    const pause = failed?.retryAfter ?? PAUSE_S;
    nextAt.current = Date.now() + pause * 1000;
    setLeft(pause);
    if (data) onChecked(data.verifyDomain);
  }

  const tick = useRef(() => undefined as void);
  tick.current = () => {
    const seconds = Math.max(0, Math.ceil((nextAt.current - Date.now()) / 1000));
    setLeft(seconds);
    const isSeen = document.visibilityState === 'visible' && !isOffline.value;
    if (!isWatching || !isSeen || seconds > 0 || isBusy) return;
    checks.current += 1;
    void check();
  };
  useEffect(() => {
    const timer = setInterval(() => tick.current(), 1000);
    return () => clearInterval(timer);
  }, []);

  return {
    check: () => {
      checks.current = 0;
      void check();
    },
    isBusy,
    problem,
    left,
    isWatching,
  };
}
