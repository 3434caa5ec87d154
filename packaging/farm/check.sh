#!/usr/bin/env bash
# Runs the job scripts beside it for real on this machine: 800 variants by one process, by a Slurm array and by an
# OpenJD job of 8 tasks each, compared byte for byte.
#
#   packaging/farm/check.sh [KINFOLK] [COUNT]
#
# Slurm (Debian: slurm-wlm, munge) is started for the check and ended after it, in a temporary folder; OpenJD comes from
# PyPI into a cache folder. What is not there is left out with a word. Ends with 1 if a file differs.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export KINFOLK=${1:-kinfolk}
count=${2:-800}
work=$(mktemp -d)
chmod 755 "$work"
daemons=()
finish() {
    local daemon
    for daemon in "${daemons[@]}"; do kill "$daemon" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT
cd "$work"

"$KINFOLK" demo --motions --out demo --quiet >/dev/null
"$KINFOLK" learn demo/clips/walk_0[1-4].bvh --fps 30 --out walk.ron --quiet >/dev/null
one_start=$(date +%s.%N)
"$KINFOLK" vary walk.ron --count "$count" --out one --threads 1 --quiet >/dev/null
echo "one process: $count variants in $(echo "$(date +%s.%N) - $one_start" | bc) s"

failed=0
# The manifests of the shards together hold the lines of the one manifest.
compare() {
    local made=$1
    diff -rq -x 'manifest*' one "$made" || failed=1
    diff <(sort one/manifest.csv) <(cat "$made"/manifest_*.csv | sort -u) >/dev/null || { echo "$made: manifests differ"; failed=1; }
    "$KINFOLK" collect "$made" --quiet >/dev/null || { echo "$made: not complete"; failed=1; }
    if [ "$failed" -eq 0 ]; then echo "$made: the same $count files"; fi
}

if command -v slurmctld >/dev/null && command -v slurmd >/dev/null && [ "$(id -u)" -eq 0 ]; then
    host=$(hostname -s)
    mkdir -p slurm/state slurm/spool /run/munge
    [ -f /etc/munge/munge.key ] || { mungekey --create 2>/dev/null || dd if=/dev/urandom of=/etc/munge/munge.key bs=1k count=1 status=none; }
    chown -R munge: /etc/munge /run/munge /var/lib/munge /var/log/munge
    chmod 400 /etc/munge/munge.key
    if ! munge -n >/dev/null 2>&1; then
        runuser -u munge -- munged --foreground >/dev/null 2>&1 &
        daemons+=($!)
        sleep 1
    fi
    cat > slurm/slurm.conf <<CONF
ClusterName=check
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort=26817
SlurmdPort=26818
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool
SlurmctldPidFile=$work/slurm/ctld.pid
SlurmdPidFile=$work/slurm/d.pid
SlurmctldLogFile=$work/slurm/ctld.log
SlurmdLogFile=$work/slurm/d.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    export SLURM_CONF=$work/slurm/slurm.conf
    slurmctld -D >/dev/null 2>&1 &
    daemons+=($!)
    slurmd -D >/dev/null 2>&1 &
    daemons+=($!)
    for _ in $(seq 60); do sinfo -h -o %T 2>/dev/null | grep -qE 'idle|mixed|alloc' && break; sleep 0.5; done
    sbatch --wait --array=0-7 --output="$work/slurm/%A_%a.out" "$here/vary.sbatch" "$work/walk.ron" "$count" "$work/slurm_set" \
        || { failed=1; cat slurm/*.out; tail -5 slurm/*.log; }
    compare slurm_set
else
    echo "without Slurm, which is not here or needs root to be started"
fi

cache=${XDG_CACHE_HOME:-$HOME/.cache}/kinfolk/openjd
if [ ! -x "$cache/bin/openjd" ] && command -v python3 >/dev/null; then
    python3 -m venv "$cache" && "$cache/bin/pip" install --quiet openjd-cli || true
fi
if [ -x "$cache/bin/openjd" ]; then
    "$cache/bin/openjd" check "$here/vary.openjd.yaml"
    "$cache/bin/openjd" run "$here/vary.openjd.yaml" --step Collect --run-dependencies \
        -p "Model=$work/walk.ron" -p "Count=$count" -p "Out=$work/openjd_set" -p "Kinfolk=$KINFOLK" > openjd.log 2>&1 \
        || { failed=1; tail -20 openjd.log; }
    compare openjd_set
else
    echo "without OpenJD, which could not be installed"
fi
exit "$failed"
