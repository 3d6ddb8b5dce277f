#!/bin/sh
# sh grade.sh 01_conjugates: `nbgrader autograde` in a container, by podman or docker (or ENGINE=...), without network,
# with this folder and nothing else of this computer. What follows the lesson is nbgrader's, such as --student ann.
set -eu
cd "$(dirname "$0")"
engine=${ENGINE:-$(command -v podman || command -v docker)} || {
    echo "grade.sh: neither podman nor docker is installed; README.md has the command without a container" >&2
    exit 1
}
case $engine in
*podman) user=--userns=keep-id ;;
*) user=--user=$(id -u):$(id -g) ;;
esac
exec "$engine" run --rm --network none --read-only --tmpfs /tmp:exec,size=1g "$user" --cap-drop ALL \
    --security-opt no-new-privileges --memory 4g --cpus 2 --pids-limit 256 \
    --volume "$PWD:/course:Z" --workdir /course duality-grading nbgrader autograde "$@"
