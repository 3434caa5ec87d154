#!/usr/bin/env bash
# Runs every command of README and guide as it is written there, in a folder that has the files they name.
#
#   packaging/check-commands.sh
#
# The files are made of kinfolk's own motions, and of the development set beside the repository where the page speaks of
# such clips. What needs a scheduler, a display or an hour is left out and told. KINFOLK names a program that is built
# already. Ends with 1 if a command fails.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/common.sh
need_program
repository=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/target/release"
ln -s "$KINFOLK" "$work/bin/kinfolk"
ln -s "$KINFOLK" "$work/target/release/kinfolk"
ln -s "$repository/packaging" "$work/packaging"
export PATH=$work/bin:$PATH
cd "$work"
data=$repository/../shared/data

say "Files that the pages name"
quietly() { "$@" --quiet >/dev/null; }
quietly kinfolk demo --motions --out own
clips=own/clips
quietly kinfolk learn $clips/walk_0[1-4].bvh --out own/walk.ron
for name in walk walk_1 walk_2 walk_3 walk_4; do cp $clips/walk_0$(( ${#name} > 4 ? ${name#walk_} : 5 )).bvh $name.bvh; done
cp $clips/take_walk_01.bvh walk_take.bvh
cp $clips/wave_01.bvh wave.bvh
cp $clips/jump_05.bvh my_jump.bvh
quietly kinfolk vary own/walk.ron --count 1 --frames 1200 --out own/long
cp own/long/*.bvh long_sequence.bvh
# A take of twenty seconds, as a converter leaves it.
quietly kinfolk convert long_sequence.bvh --out own/tpose --preset maya
cp own/tpose/*.bvh take.bvh
cp take.bvh my_take.bvh
mkdir -p takes good more walks/held_back held_back captured unseen crowd
cp $clips/take_walk_0*.bvh takes/
cp $clips/take_walk_01.bvh take_02.bvh
cp $clips/walk_0[1-3].bvh good/
cp $clips/walk_0[4-9].bvh $clips/walk_limp_01.bvh more/
for letter in a b c d; do cp $clips/walk_0$(($(printf '%d' "'$letter") - 96)).bvh walks/$letter.bvh; done
cp $clips/walk_1[0-3].bvh walks/held_back/
cp $clips/walk_1[0-3].bvh held_back/
cp $clips/walk_*.bvh captured/
cp $clips/throw_0[4-5].bvh unseen/
quietly kinfolk vary own/walk.ron --count 15 --out made
quietly kinfolk vary own/walk.ron --count 6 --seed 2 --out from_blender
quietly kinfolk vary own/walk.ron --count 6 --seed 3 --out night
for shard in 0 1 2; do quietly kinfolk vary own/walk.ron --count 30 --shard $shard/3 --out set; done
cp made/*.bvh crowd/
quietly kinfolk learn $clips/jump_0[1-4].bvh --out jump.ron
quietly kinfolk style learn $clips/throw_0[1-3].bvh --out throw.ron
quietly kinfolk style learn $clips/throw_0[1-3].bvh --out sidearm.ron
quietly kinfolk style learn $clips/sneak_0*.bvh --out sneak.ron
quietly kinfolk style learn long_sequence.bvh --out take.ron
quietly kinfolk convert $clips/throw_04.bvh --out own --format csv
# Keys of both feet and a hand, at every eighth frame.
awk -F, 'NR == 1 || ($1 % 8 == 0 && $2 ~ /^(LeftFoot|RightFoot|RightHand)$/)' own/throw_04.csv > keys.csv
printf 'x,z\n0,0\n0,300\n300,300\n300,0\n' > square.csv
printf 'time,heading,speed,action\n0,0,,walk\n3,90,,\n5,90,,run\n' > steer.csv
# Three raters of the study that the page makes before.
for rater in Ada Ben Cleo; do
    echo study,experiment,rater,trial,stimulus,score > ratings_$rater.csv
    for trial in $(seq 15); do
        printf 'Walks,natural,%s,%d,m%02d,%d\n' "$rater" "$trial" "$trial" $((4 + trial * ${#rater} % 5)) >> ratings_$rater.csv
    done
done
# A rig as another program writes it, where Blender is there (check-fbx.sh brings it).
blender=${XDG_CACHE_HOME:-$HOME/.cache}/kinfolk/blender-4.2.0
if [ -f "$blender/ready" ]; then
    mkdir own/fbx
    "$blender/bin/python" "$repository/packaging/check_fbx.py" --make own/fbx $clips/walk_01.bvh >/dev/null
    cp "$(find own/fbx -name '*.fbx' | sort | head -1)" hero.fbx
fi
if [ -d "$data/locomotion" ]; then
    cp -r "$data/locomotion" .
    cp "$data"/asf_amc/35{.asf,_01.amc} .
fi

say "Commands"
python3 "$repository/packaging/check_commands.py" "$repository/README.md" "$repository/resources/guide.md"
