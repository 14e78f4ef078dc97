//! What a script says, and what its functions do in a shell.

use std::process::{Command, Output};

use super::*;

/// What becomes of a shell that knows the functions of a script. No signal is ignored in it, whoever runs the tests.
fn in_shell(text: &str) -> Output {
    let folder = testkit::temp_dir();
    let folder = quoted(folder.path());
    let all = format!("set -eu\ngrace=1\nfolder={folder}\n{BEGINS}\n{text}");
    let mut shell = Command::new("env");
    shell.args(["--default-signal", "sh", "-c", &all]);
    shell.output().unwrap()
}

/// What such a shell prints, and what it says besides.
fn run_in_shell(text: &str) -> String {
    let ran = in_shell(text);
    let said = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let (out, err) = (said(ran.stdout), said(ran.stderr));
    assert!(ran.status.success(), "{out}{err}");
    out + &err
}

#[test]
fn what_is_known_when_the_script_runs_is_a_variable_of_it() {
    let marks = [
        (Deployed::HOST, "host"),
        (Deployed::PORT, "port"),
        ("@PORT1@", "port1"),
    ];
    let marks = marks.map(|(mark, name)| (mark.to_owned(), name.to_owned()));
    for (text, said) in [
        ("", "''"),
        ("a b", "'a b'"),
        ("@HOST@:@PORT@", "\"$host\":\"$port\""),
        ("PORT=@PORT@", "'PORT='\"$port\""),
        (
            "tcp://@HOST@:@PORT@?a=1&b",
            "tcp://\"$host\":\"$port\"'?a=1&b'",
        ),
        ("-p@PORT1@@PORT@", "-p\"$port1\"\"$port\""),
    ] {
        assert_eq!(line(&[text.to_owned()], &marks), said);
    }
}

#[test]
fn what_a_process_is_called_steers_no_terminal() {
    let text = r#"
printf 'x\033[2J\\033c' > /proc/$$/comm
echo $$
named $$
say "$(named $$)"
"#;
    let said = run_in_shell(text);
    let pid = said.lines().next().unwrap();
    let named = format!("x[2J\\033c (process {pid})");
    assert_eq!(said, format!("{pid}\n{named}\nsh: {named}\n"));
}

#[test]
fn a_name_like_a_line_of_the_kernels_table_makes_no_process_a_member() {
    let text = r#"
members "$(figure $$ 4)" | sed -n "s/^$$\$/it is one/p"
printf '\n1 () S   7 ' > /proc/$$/comm
members 7 | sed -n 's/^1$/so is the first/p'
"#;
    assert_eq!(run_in_shell(text), "it is one\n");
}

#[test]
fn what_no_start_has_noted_is_not_ended() {
    let text = r#"
worker=$(setsid sh -c 'sleep 60 > /dev/null 2>&1 & echo $!')
session=$(figure "$worker" 4)
for seen in '' x 0 99999999999999999999999 999999999999; do
    echo "$seen" > "$folder/seen"
    if owned "$session" 1; then echo "$seen is one"; fi
done
if owned '[0-9]*' 1; then echo 'all are'; fi
kill "$worker"
"#;
    assert_eq!(run_in_shell(text), "999999999999 is one\n");
}

#[test]
fn a_file_that_is_called_like_a_socket_is_none() {
    let text = r#"
exec 8> "$folder/ socket:[5]"
owners 5
"#;
    let text = format!("port=1 highest=2 host=127.0.0.1\n{PORTS}{text}");
    assert_eq!(run_in_shell(&text), "");
}

#[test]
fn a_program_that_heeds_no_signal_is_killed_in_the_end_and_no_other_process_is() {
    let text = r#"
noted=$folder/running
space=here
grace=0
setsid sh -c 'trap "" TERM; : > "$0/ready"; while :; do sleep 0.1; done' "$folder" > /dev/null 2>&1 &
started stubborn TERM
until [ -e "$folder/ready" ]; do sleep 0.1; done
pid=${running% }
eval "since_$pid=1"
stop
[ -z "$(began "$pid")" ] || echo 'a process of another time lives'
eval "since_$pid=$(began "$pid")"
stop
[ -n "$(began "$pid")" ] || echo 'it is killed'
"#;
    let said = run_in_shell(text);
    assert_eq!(said, "a process of another time lives\nit is killed\n");
}

#[test]
fn what_a_signal_keeps_from_being_noted_is_ended_as_well() {
    let begun = "setsid sleep 60 > /dev/null 2>&1 &\nprogram=$!\n";
    let noted = "running=$program\neval \"signal_$program=TERM since_$program=\"\n";
    for then in ["", noted] {
        let ends = "end\n[ -n \"$(began \"$program\")\" ] || echo ended\n";
        let said = run_in_shell(&[begun, then, ends].concat());
        assert_eq!(said, "ended\n", "{then}");
    }
}

/// Nobody remembers it: the script was killed as soon as it had begun it.
#[test]
fn a_program_notes_itself_before_it_begins() {
    let text = r#"
noted=$folder/running
space=here
begins INT setsid sleep 60 > /dev/null 2>&1 &
until [ -s "$noted" ]; do sleep 0.1; done
read -r pid since at signal < "$noted"
[ "$pid $since" = "$! $(began "$!")" ] || echo 'it is another one'
until [ "$(figure "$pid" 4)" = "$pid" ]; do sleep 0.1; done
owned "$pid" "$since" && echo "it ends by $signal"
kill "$pid"
"#;
    assert_eq!(run_in_shell(text), "it ends by INT\n");
}

#[test]
fn a_process_of_somebody_else_is_none_of_its_programs_where_none_was_noted() {
    let text = r#"
worker=$(setsid sh -c 'sleep 60 > /dev/null 2>&1 & echo $!')
eval "since_$worker= signal_$worker=TERM"
running=$worker
stop
[ -z "$(began "$worker")" ] || echo 'it lives'
running=
kill "$worker"
"#;
    assert_eq!(run_in_shell(text), "it lives\n");
}

#[test]
fn what_nobody_hears_ends_nothing() {
    let text = r#"
mkfifo "$folder/said"
exec 8<> "$folder/said" 7> "$folder/said" 8>&-
say 'nobody reads this' 2>&7
echo 'it goes on'
"#;
    assert_eq!(run_in_shell(text), "it goes on\n");
}

#[test]
fn each_signal_that_ends_it_ends_its_programs() {
    let begun = "setsid sleep 60 > /dev/null 2>&1 &\nrunning=$!\necho \"$running\"\n";
    let noted = "eval \"signal_$running=TERM since_$running=$(began \"$running\")\"\n";
    for (signal, status) in [("HUP", 129), ("INT", 130), ("QUIT", 131), ("TERM", 143)] {
        let signalled = format!("kill -s {signal} $$\nsleep 0.1\necho 'it goes on'\n");
        let ran = in_shell(&[begun, noted, &signalled].concat());
        assert_eq!(ran.status.code(), Some(status), "{signal}");
        let program = String::from_utf8(ran.stdout).unwrap();
        let program = Path::new("/proc").join(program.trim());
        assert!(!program.exists(), "{signal}: {}", program.display());
    }
}

#[test]
fn what_has_a_default_is_missed_aloud_and_nothing_is_refused_for_it() {
    let mut text = String::new();
    let names = ["SHOP_KEY", "SHOP_URL"].map(str::to_owned);
    asks(&mut text, &names, &names[1..]);
    assert!(
        text.contains("[ -n \"${SHOP_KEY:-}\" ] || wrong 'SHOP_KEY is not set"),
        "{text}"
    );
    assert!(
        text.contains("[ -n \"${SHOP_URL:-}\" ] || say 'SHOP_URL is not set"),
        "{text}"
    );
}
